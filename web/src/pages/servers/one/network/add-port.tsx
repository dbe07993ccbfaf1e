import { PortProtocol } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { api } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { protocols } from './protocols.ts'
import { t } from './words.ts'

const Input = z.object({
  container: z
    .int({ error: () => t.enterPort })
    .min(1)
    .max(65535),
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
    <Form form={form} command submitText={t.addPort}>
      <NumberField
        label={t.inside}
        description={t.insideHelp}
        placeholder="8123"
        {...form.field('container')}
      />
      <SelectField label={t.protocol} choices={protocols()} {...form.field('protocol')} />
      <TextField label={t.nameOptional} placeholder={t.exampleName} {...form.field('label')} />
    </Form>
  )
}
