import { EditServer, type Server } from '@lodge/shared/servers.ts'
import { useState } from 'react'
import { ApiError, api } from '../../../../api.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { CpuField, SizeField } from '../../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { t } from './words.ts'

interface Values {
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
}

/** Memory and disks of a virtual machine change on its hardware tab. */
const bodyOf = ({ kind }: Server, { cpuPercent, ...sizes }: Values, force: boolean): unknown => ({
  cpuPercent,
  ...(kind === 'vm' ? {} : sizes),
  ...(force ? { force } : {}),
})

/** Size of a server. When a limit refuses the change, a switch to exceed it appears. */
export function SizeFields({ server, blocked }: { server: Server; blocked: string | undefined }) {
  const { memoryMb, cpuPercent, diskMb } = server
  const saved: Values = { memoryMb, cpuPercent, diskMb }
  const [force, setForce] = useState(false)
  const form = useForm<Values, Server>({
    initial: saved,
    schema: EditServer,
    toBody: (values) => bodyOf(server, values, force),
    submit: (values) =>
      api('PATCH /api/servers/{id}', {
        params: { id: server.id },
        body: EditServer.parse(bodyOf(server, values, force)),
      }),
    done: () => {
      setForce(false)
      toastDone(t.sizeChanged, t.sizeChangedText)
    },
  })
  const limited = form.refusal instanceof ApiError && form.refusal.problem.code === 'limit_exceeded'
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (field) => ({ memoryMb: t.memory, cpuPercent: t.cpu, diskMb: t.disk })[field],
    blocked,
  })
  return (
    <>
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
      {limited || force ? (
        <SwitchField
          label={t.exceed}
          description={t.exceedHelp}
          value={force}
          onChange={setForce}
        />
      ) : null}
    </>
  )
}
