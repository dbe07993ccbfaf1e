import type { Passkey } from '@lodge/shared/accounts.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { whyNoPasskeys } from '../entrance/sign-in/passkey.ts'
import { addPasskey } from './new-passkey.ts'
import { t } from './words.ts'

const REFRESHES = ['GET /api/auth/passkeys', 'GET /api/auth/factors', 'GET /api/auth/me'] as const

/** The passkeys of this account. */
export function Passkeys({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const client = useQueryClient()
  const passkeys = useQuery(q('GET /api/auth/passkeys'))
  const remove = useAct('DELETE /api/auth/passkeys/{id}', REFRESHES)
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: ({ recoveryCodes }) => {
      for (const key of REFRESHES) void client.invalidateQueries({ queryKey: [key] })
      if (recoveryCodes) onCodes(recoveryCodes)
    },
    onError: (error) => toastRefused(t.passkeyNotAdded, error),
  })
  const columns: readonly Column<Passkey>[] = [
    { header: t.passkey, role: 'title', cell: (key) => <Text strong>{key.name}</Text> },
    { header: t.added, cell: (key) => <Ago at={key.createdAt} /> },
    {
      header: t.lastUsed,
      cell: (key) => (key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : t.never),
    },
    {
      header: t.actions,
      role: 'acts',
      cell: (key) => (
        <QuickConfirm
          question={t.removePasskeyQuestion({ name: key.name })}
          verb={t.removePasskey}
          onConfirm={() =>
            remove.mutate(
              { params: { id: key.id } },
              { onError: (error) => toastRefused(t.passkeyNotRemoved, error) },
            )
          }
        >
          <Button size="small">{t.remove}</Button>
        </QuickConfirm>
      ),
    },
  ]
  const button = (
    <Button
      icon={<KeyRound />}
      size="small"
      busy={add.isPending}
      disabledBecause={whyNoPasskeys()}
      onClick={() => add.mutate()}
    >
      {t.addPasskey}
    </Button>
  )
  const isEmpty = passkeys.data?.items.length === 0
  return (
    <Card title={t.passkeys} actions={button} flush={!isEmpty}>
      <Loaded query={passkeys} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text muted>{whyNoPasskeys() ?? t.noPasskeys}</Text>
          ) : (
            <Table
              label={t.passkeys}
              rows={items}
              columns={columns}
              keyOf={(key) => key.id}
              empty={null}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
