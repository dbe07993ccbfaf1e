import { EditServer, type Server } from '@lodge/shared/servers.ts'
import { ApiError, api } from '../../../../api.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'

interface Values {
  name: string
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
  force: boolean
}

/** Memory and disks of a virtual machine change on its hardware tab. */
const bodyOf = ({ kind }: Server, { force, name, cpuPercent, ...sizes }: Values): unknown => ({
  name,
  cpuPercent,
  ...(kind === 'vm' ? {} : sizes),
  ...(force ? { force } : {}),
})

/** Name and size of a server. When a limit refuses the change, a switch to exceed it appears. */
export function SizeForm({
  server,
  disabledBecause,
}: {
  server: Server
  disabledBecause: string | undefined
}) {
  const { name, memoryMb, cpuPercent, diskMb } = server
  const form = useForm<Values, Server>({
    initial: { name, memoryMb, cpuPercent, diskMb, force: false },
    schema: EditServer,
    toBody: (values) => bodyOf(server, values),
    submit: (values) =>
      api('PATCH /api/servers/{id}', {
        params: { id: server.id },
        body: EditServer.parse(bodyOf(server, values)),
      }),
    done: () => toastDone('Server changed', 'A new size holds from the next start on.'),
  })
  const limited = form.refusal instanceof ApiError && form.refusal.problem.code === 'limit_exceeded'
  return (
    <Form form={form} submitText="Save changes" disabledBecause={disabledBecause}>
      <FieldGrid least={260}>
        <TextField label="Name" {...form.field('name')} />
        {server.kind === 'vm' ? null : (
          <SizeField
            label="Memory"
            description="Like 4 GiB or 512 MiB"
            {...form.field('memoryMb')}
          />
        )}
        <CpuField label="CPU" {...form.field('cpuPercent')} />
        {server.kind === 'vm' ? null : (
          <SizeField
            label="Disk"
            description={
              server.diskLimit === 'measured'
                ? 'Measured on this node, not enforced'
                : 'Like 10 GiB'
            }
            {...form.field('diskMb')}
          />
        )}
      </FieldGrid>
      {limited || form.values.force ? (
        <SwitchField
          label="Exceed the limit"
          description="You may do so with the permission servers.force_limits"
          {...form.field('force')}
        />
      ) : null}
    </Form>
  )
}
