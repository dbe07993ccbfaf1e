import { type Backup, EditBackup } from '@lodge/shared/backups.ts'
import { api } from '../../../../api.ts'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, nothingChanged, useForm } from '../../../../ui/form/form.tsx'
import { t } from './words.ts'

export function RenameBackup({ backup, onDone }: { backup: Backup; onDone: () => void }) {
  const form = useForm<{ name: string }, unknown>({
    initial: { name: backup.name },
    schema: EditBackup,
    submit: (body) =>
      api('PATCH /api/servers/{id}/backups/{backupId}', {
        params: { id: backup.serverId, backupId: backup.id },
        body,
      }),
    refreshes: ['GET /api/servers/{id}/backups'],
    done: onDone,
  })
  return (
    <Form
      form={form}
      command
      submitText={t.rename}
      disabledBecause={form.changed.length === 0 ? nothingChanged() : undefined}
    >
      <TextField label={t.name} autoComplete="off" autoFocus {...form.field('name')} />
    </Form>
  )
}
