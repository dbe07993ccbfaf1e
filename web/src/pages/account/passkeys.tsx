import { useQuery } from '@tanstack/react-query'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { whyNoPasskeys } from '../entrance/sign-in/passkey.ts'
import { Credentials } from './credentials.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { t } from './words.ts'

const REFRESHES = ['GET /api/auth/passkeys', 'GET /api/auth/factors', 'GET /api/auth/me'] as const

/** The passkeys of this account. */
export function Passkeys({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [adding, setAdding] = useState(false)
  const passkeys = useQuery(q('GET /api/auth/passkeys'))
  const remove = useAct('DELETE /api/auth/passkeys/{id}', REFRESHES)
  const button = (
    <Button
      icon={<KeyRound />}
      size="small"
      disabledBecause={whyNoPasskeys()}
      onClick={() => setAdding(true)}
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
            <Credentials
              label={t.passkeys}
              header={t.passkey}
              items={items}
              question={t.removePasskeyQuestion}
              verb={t.removePasskey}
              onRemove={({ id }) =>
                remove.mutate(
                  { params: { id } },
                  { onError: (error) => toastRefused(t.passkeyNotRemoved, error) },
                )
              }
            />
          )
        }
      </Loaded>
      {adding ? (
        <PasskeyDialog
          onClose={() => setAdding(false)}
          onDone={(codes) => {
            setAdding(false)
            if (codes) onCodes(codes)
          }}
        />
      ) : null}
    </Card>
  )
}
