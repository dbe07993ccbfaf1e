import { CreateBackup } from '@lodge/shared/backups.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { SwitchField } from '../../../../ui/choices/switch-field.tsx'
import { AreaField } from '../../../../ui/fields/area-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { patternsIn, textOf } from './ignored-text.ts'
import { t } from './words.ts'

interface Values {
  name: string
  locked: boolean
  /** What it leaves out, one a line. */
  ignore: string
}

/** Left as it is set for the server, it goes by that. */
const bodyOf = ({ name, locked, ignore }: Values, usual: string): CreateBackup => ({
  ...(name.trim() === '' ? {} : { name }),
  ...(locked ? { locked } : {}),
  ...(textOf(patternsIn(ignore)) === usual ? {} : { ignore: patternsIn(ignore) }),
})

interface NewBackupProps {
  server: Server
  /** What backups of the server leave out. */
  ignored: readonly string[]
  onDone: () => void
}

/** Begins a backup of a server. */
export default function NewBackup({ server, ignored, onDone }: NewBackupProps) {
  const usual = textOf(ignored)
  const form = useForm<Values, unknown>({
    initial: { name: '', locked: false, ignore: usual },
    schema: CreateBackup,
    // The API says which pattern is none.
    toBody: (values) => bodyOf({ ...values, ignore: usual }, usual),
    nameOf: (pointer) => pointer.split('/')[0] ?? pointer,
    submit: (values) =>
      api('POST /api/servers/{id}/backups', {
        params: { id: server.id },
        body: bodyOf(values, usual),
      }),
    refreshes: ['GET /api/servers/{id}/backups', 'GET /api/jobs'],
    done: onDone,
  })
  return (
    <Form form={form} command submitText={t.backUp}>
      <Text muted>{server.kind === 'vm' ? t.backUpMachine : t.backUpText}</Text>
      <TextField
        label={t.name}
        description={t.nameHelp}
        autoComplete="off"
        autoFocus
        {...form.field('name')}
      />
      {server.kind === 'container' ? (
        <AreaField
          label={t.leftOutHere}
          description={t.leftOutHereHelp}
          width="fill"
          mono
          rows={3}
          {...form.field('ignore')}
        />
      ) : null}
      <SwitchField label={t.keepLocked} description={t.keepLockedHelp} {...form.field('locked')} />
    </Form>
  )
}
