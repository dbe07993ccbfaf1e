import { CreateVmSnapshot } from '@lodge/shared/vms.ts'
import { api } from '../../api.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { useVmChanged } from './use-vm.ts'
import { t } from './words.ts'

export function SnapshotForm({ serverId, onDone }: { serverId: string; onDone: () => void }) {
  const changed = useVmChanged()
  const form = useForm<{ name: string }, unknown>({
    initial: {
      name: timestampText(new Date(), { dateStyle: 'medium', timeStyle: 'short' }),
    },
    schema: CreateVmSnapshot,
    submit: (body) =>
      api('POST /api/servers/{id}/vm/snapshots', { params: { id: serverId }, body }),
    done: (_, { name }) => {
      changed()
      toastDone(t.taking({ name }), t.takingText)
      onDone()
    },
  })
  return (
    <Form form={form} command submitText={t.take}>
      <TextField label={t.name} autoComplete="off" {...form.field('name')} />
    </Form>
  )
}
