import { ChangeVmResources } from '@lodge/shared/vms.ts'
import { api } from '../../../api.ts'
import { NumberField, SizeField } from '../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { useVmChanged, useWhyNotChange, type Vm } from '../use-vm.ts'
import { t } from '../words.ts'

interface Values {
  vcpus: number | undefined
  memoryMb: number | undefined
}

/** Processors and memory of a stopped machine. */
export function ResourcesCard({ serverId, vm }: { serverId: string; vm: Vm }) {
  const changed = useVmChanged()
  const whyNot = useWhyNotChange(vm)('POST /api/servers/{id}/vm/resources', 'vm.resources')
  const saved: Values = { vcpus: vm.vcpus, memoryMb: vm.memoryMb }
  const form = useForm<Values, unknown>({
    initial: saved,
    schema: ChangeVmResources,
    submit: (values) =>
      api('POST /api/servers/{id}/vm/resources', {
        params: { id: serverId },
        body: ChangeVmResources.parse(values),
      }),
    done: () => {
      changed()
      toastDone(t.hardwareChanged, t.nextStart)
    },
  })
  const { minimum } = vm.profile.hardware
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (name) => ({ vcpus: t.processors, memoryMb: t.memory })[name],
    blocked: whyNot,
  })
  return (
    <Card title={t.resources}>
      <FieldGrid least={200}>
        <NumberField
          label={t.processors}
          description={t.atLeast({ least: minimum.vcpus, percent: vm.cpuPercent })}
          {...form.field('vcpus')}
        />
        <SizeField label={t.memory} {...form.field('memoryMb')} />
      </FieldGrid>
    </Card>
  )
}
