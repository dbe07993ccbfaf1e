import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SshKey } from '@lodge/shared/sftp.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { q, useAct } from '../../../query.ts'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone, toastRefused } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { Credentials } from '../credentials.tsx'
import { t } from './words.ts'

const KEYS = 'GET /api/account/ssh-keys'
const EMPTY = { name: '', publicKey: '' }

const readAbout = (words: string) => (
  <a href={panelPath('help', { name: 'sftp' })} target="_blank" rel="noreferrer">
    {words}
  </a>
)

/** The SSH keys of the account, which open the files of its servers. */
export default function KeysTab() {
  const keys = useQuery(q(KEYS))
  const isEmpty = keys.data?.items.length === 0
  return (
    <Stack>
      <Text muted>{rich(t.lead({ link: readAbout }))}</Text>
      <Card title={t.sshKeys} flush={!isEmpty}>
        <Loaded query={keys} lines={2}>
          {({ items }) =>
            items.length === 0 ? <Text muted>{t.noKeys}</Text> : <KeyTable items={items} />
          }
        </Loaded>
      </Card>
      <Card title={t.addKey}>
        <AddKey />
      </Card>
    </Stack>
  )
}

function KeyTable({ items }: { items: readonly SshKey[] }) {
  const remove = useAct('DELETE /api/account/ssh-keys/{id}', [KEYS])
  return (
    <Credentials
      label={t.sshKeys}
      header={t.name}
      items={items}
      under={({ fingerprint }) => fingerprint}
      question={t.removeQuestion}
      verb={t.removeKey}
      onRemove={({ id }) =>
        remove.mutate({ params: { id } }, { onError: (error) => toastRefused(t.notRemoved, error) })
      }
    />
  )
}

function AddKey() {
  const form = useForm({
    initial: EMPTY,
    submit: (body) => api('POST /api/account/ssh-keys', { body }),
    refreshes: [KEYS],
    done: () => {
      form.setValues(EMPTY)
      toastDone(t.keyAdded)
    },
  })
  const { name, publicKey } = form.values
  const missing =
    publicKey.trim() === '' ? t.keyMissing : name.trim() === '' ? t.nameMissing : undefined
  return (
    <Form form={form} command submitText={t.addKey} disabledBecause={missing}>
      <TextField
        label={t.name}
        description={t.nameHelp}
        autoComplete="off"
        {...form.field('name')}
      />
      <AreaField
        label={t.publicKey}
        description={t.publicKeyHelp}
        rows={3}
        mono
        {...form.field('publicKey')}
      />
    </Form>
  )
}
