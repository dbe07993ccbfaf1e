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
    onError: (error) => toastRefused('The passkey was not added', error),
  })
  const columns: readonly Column<Passkey>[] = [
    { header: 'Passkey', role: 'title', cell: (key) => <Text strong>{key.name}</Text> },
    { header: 'Added', cell: (key) => <Ago at={key.createdAt} /> },
    {
      header: 'Last used',
      cell: (key) => (key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : 'Never'),
    },
    {
      header: 'Actions',
      role: 'acts',
      cell: (key) => (
        <QuickConfirm
          question={`Remove ${key.name}? Every other device is signed out, and your API tokens end.`}
          verb="Remove passkey"
          onConfirm={() =>
            remove.mutate(
              { params: { id: key.id } },
              { onError: (error) => toastRefused('The passkey was not removed', error) },
            )
          }
        >
          <Button size="small">Remove</Button>
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
      Add passkey
    </Button>
  )
  const isEmpty = passkeys.data?.items.length === 0
  return (
    <Card title="Passkeys" actions={button} flush={!isEmpty}>
      <Loaded query={passkeys} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Text muted>
              {whyNoPasskeys() ??
                'None yet. A passkey signs you in with your fingerprint, face or device PIN.'}
            </Text>
          ) : (
            <Table
              label="Passkeys"
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
