import { PortProtocol } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { api } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'

const PROTOCOLS = [
  { value: 'both', label: 'TCP and UDP' },
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
]

const Input = z.object({
  container: z.int('Enter a port').min(1).max(65535),
  protocol: PortProtocol,
  label: z.string().max(64),
})

interface Values {
  container: number | undefined
  protocol: string
  label: string
}

/** Adds a port; Lodge chooses the host port from the ranges of the node. */
export function AddPort({ serverId, onDone }: { serverId: string; onDone: () => void }) {
  const form = useForm<Values, unknown>({
    initial: { container: undefined, protocol: 'both', label: '' },
    schema: Input,
    submit: (values) => {
      const { label, ...rest } = Input.parse(values)
      return api('POST /api/servers/{id}/ports', {
        params: { id: serverId },
        body: { ...rest, ...(label.trim() === '' ? {} : { label }) },
      })
    },
    refreshes: ['GET /api/servers/{id}/ports'],
    done: () => {
      onDone()
    },
  })
  return (
    <Form form={form} submitText="Add port">
      <NumberField
        label="Port inside the server"
        description="Where the program listens"
        placeholder="8123"
        {...form.field('container')}
      />
      <SelectField label="Protocol" choices={PROTOCOLS} {...form.field('protocol')} />
      <TextField label="Name (optional)" placeholder="Map" {...form.field('label')} />
    </Form>
  )
}
