import { EditServer, type Server } from '@lodge/shared/servers.ts'
import { ApiError, api } from '../../../../api.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface Values {
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
  force: boolean
}

/** Memory and disks of a virtual machine change on its hardware tab. */
const bodyOf = ({ kind }: Server, { force, cpuPercent, ...sizes }: Values): unknown => ({
  cpuPercent,
  ...(kind === 'vm' ? {} : sizes),
  ...(force ? { force } : {}),
})

/** Size of a server. When a limit refuses the change, a switch to exceed it appears. */
export function SizeForm({
  server,
  disabledBecause,
}: {
  server: Server
  disabledBecause: string | undefined
}) {
  const { memoryMb, cpuPercent, diskMb } = server
  const form = useForm<Values, Server>({
    initial: { memoryMb, cpuPercent, diskMb, force: false },
    schema: EditServer,
    toBody: (values) => bodyOf(server, values),
    submit: (values) =>
      api('PATCH /api/servers/{id}', {
        params: { id: server.id },
        body: EditServer.parse(bodyOf(server, values)),
      }),
    done: () => toastDone(t.sizeChanged, t.sizeChangedText),
  })
  const limited = form.refusal instanceof ApiError && form.refusal.problem.code === 'limit_exceeded'
  return (
    <Form form={form} submitText={t.saveSize} disabledBecause={disabledBecause}>
      <FieldGrid least={200}>
        {server.kind === 'vm' ? null : (
          <SizeField label={t.memory} description={t.memoryHelp} {...form.field('memoryMb')} />
        )}
        <CpuField label={t.cpu} {...form.field('cpuPercent')} />
        {server.kind === 'vm' ? null : (
          <SizeField
            label={t.disk}
            description={server.diskLimit === 'measured' ? t.diskMeasured : t.diskHelp}
            {...form.field('diskMb')}
          />
        )}
      </FieldGrid>
      {limited || form.values.force ? (
        <SwitchField label={t.exceed} description={t.exceedHelp} {...form.field('force')} />
      ) : null}
    </Form>
  )
}
