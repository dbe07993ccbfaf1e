import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, useAct, useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpDialog } from './totp-dialog.tsx'

/** `me` as well: it drives the reminder to set up a second factor. */
const FACTORS = ['GET /api/auth/factors', 'GET /api/auth/me'] as const

/** Second factors of the account: authenticator, passkeys, recovery codes. */
export function SecurityCard() {
  const refresh = useRefresh()
  const factors = useQuery(q('GET /api/auth/factors'))
  const removeTotp = useAct('DELETE /api/auth/totp', FACTORS)
  const renew = useAct('POST /api/auth/recovery-codes', FACTORS)
  const [adding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const show = (recoveryCodes: readonly string[]): void => {
    setAdding(false)
    setCodes(recoveryCodes)
    void refresh(FACTORS)
  }
  return (
    <>
      <Card title="Second factor">
        <Loaded query={factors} lines={3}>
          {({ totp, passkeys, recoveryCodes }) => (
            <Facts
              rows={[
                [
                  'Authenticator',
                  <Row key="totp" between>
                    <Pill tone={totp ? 'ok' : 'idle'}>{totp ? 'Set up' : 'Not set up'}</Pill>
                    {totp ? (
                      <QuickConfirm
                        question="Remove the authenticator? Every other device is signed out, and your API tokens end."
                        verb="Remove authenticator"
                        onConfirm={() =>
                          removeTotp.mutate(
                            {},
                            {
                              onSuccess: () => toastDone('Authenticator removed'),
                              onError: (error) => toastRefused('It was not removed', error),
                            },
                          )
                        }
                      >
                        <Button size="small">Remove</Button>
                      </QuickConfirm>
                    ) : (
                      <Button size="small" onClick={() => setAdding(true)}>
                        Set up
                      </Button>
                    )}
                  </Row>,
                ],
                [
                  'Recovery codes',
                  <Row key="codes" between>
                    {`${recoveryCodes} left`}
                    <Button
                      size="small"
                      disabledBecause={
                        totp || passkeys > 0
                          ? undefined
                          : 'Set up an authenticator or a passkey first'
                      }
                      onClick={() =>
                        renew.mutate(
                          {},
                          {
                            onSuccess: (answer) => show(answer.recoveryCodes),
                            onError: (error) => toastRefused('No new codes were made', error),
                          },
                        )
                      }
                    >
                      New codes
                    </Button>
                  </Row>,
                ],
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Card title="Passkeys" flush>
        <Passkeys onCodes={show} />
      </Card>
      {adding ? <TotpDialog onClose={() => setAdding(false)} onDone={show} /> : null}
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </>
  )
}
