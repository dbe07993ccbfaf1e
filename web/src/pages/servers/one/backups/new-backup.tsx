import { CreateBackup } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { t } from './words.ts'

interface Values {
  name: string
  locked: boolean
}

const bodyOf = ({ name, locked }: Values): CreateBackup => ({
  ...(name.trim() === '' ? {} : { name }),
  ...(locked ? { locked } : {}),
})

interface NewBackupProps {
  server: Server
  /** What it leaves out. */
  ignored: readonly string[]
  onDone: () => void
}

/** Begins a backup of a server. */
export default function NewBackup({ server, ignored, onDone }: NewBackupProps) {
  const form = useForm<Values, unknown>({
    initial: { name: '', locked: false },
    schema: CreateBackup,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/servers/{id}/backups', { params: { id: server.id }, body: bodyOf(values) }),
    refreshes: ['GET /api/servers/{id}/backups', 'GET /api/jobs'],
    done: onDone,
  })
  return (
    <Form form={form} command submitText={t.backUp}>
      <Text muted>{server.kind === 'vm' ? t.backUpMachine : t.backUpText}</Text>
      {ignored.length > 0 ? <Text muted>{t.leftOut({ patterns: ignored.join(', ') })}</Text> : null}
      <TextField
        label={t.name}
        description={t.nameHelp}
        autoComplete="off"
        autoFocus
        {...form.field('name')}
      />
      <SwitchField label={t.keepLocked} description={t.keepLockedHelp} {...form.field('locked')} />
    </Form>
  )
}
