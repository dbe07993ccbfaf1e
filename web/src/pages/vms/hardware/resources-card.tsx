import { ChangeVmResources } from '@lodge/shared/vms.ts'
import { api } from '../../../api.ts'
import { NumberField, SizeField } from '../../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Form, nothingChanged, useForm } from '../../../ui/form/form.tsx'
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
  const form = useForm<Values, unknown>({
    initial: { vcpus: vm.vcpus, memoryMb: vm.memoryMb },
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
  const same = form.values.vcpus === vm.vcpus && form.values.memoryMb === vm.memoryMb
  return (
    <Card title={t.resources}>
      <Form
        form={form}
        submitText={t.saveHardware}
        disabledBecause={whyNot ?? (same ? nothingChanged() : undefined)}
      >
        <FieldGrid least={200}>
          <NumberField
            label={t.processors}
            description={t.atLeast({ least: minimum.vcpus, percent: vm.cpuPercent })}
            {...form.field('vcpus')}
          />
          <SizeField label={t.memory} {...form.field('memoryMb')} />
        </FieldGrid>
      </Form>
    </Card>
  )
}
