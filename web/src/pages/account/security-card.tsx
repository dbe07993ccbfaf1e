import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { q, useAct, useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import styles from './account.module.css'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpDialog } from './totp-dialog.tsx'
import { t } from './words.ts'

/** `me` as well: it drives the reminder to set up a second factor. */
const FACTORS = ['GET /api/auth/factors', 'GET /api/auth/me'] as const

/** Second factors of the account: authenticator, passkeys, recovery codes. */
export function SecurityCard() {
  const refresh = useRefresh()
  const factors = useQuery(q('GET /api/auth/factors'))
  const renew = useAct('POST /api/auth/recovery-codes', FACTORS)
  const [adding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const show = (recoveryCodes: readonly string[]): void => {
    setAdding(false)
    setCodes(recoveryCodes)
    void refresh(FACTORS)
  }
  const makeCodes = (): void =>
    renew.mutate(
      {},
      {
        onSuccess: (answer) => show(answer.recoveryCodes),
        onError: (error) => toastRefused(t.noNewCodes, error),
      },
    )
  return (
    <>
      <Card title={t.secondFactor}>
        <Loaded query={factors} lines={3}>
          {({ totp, passkeys, recoveryCodes }) => (
            <ul className={styles.factors}>
              <Factor name={t.authenticator} about={t.authenticatorHelp}>
                {totp ? (
                  <>
                    <Pill tone="ok">{t.isSetUp}</Pill>
                    <RemoveAuthenticator />
                  </>
                ) : (
                  <Button size="small" onClick={() => setAdding(true)}>
                    {t.setUp}
                  </Button>
                )}
              </Factor>
              <Factor name={t.recoveryCodes} about={t.codesLeft({ count: recoveryCodes })}>
                {recoveryCodes === 0 ? (
                  <Button
                    size="small"
                    disabledBecause={totp || passkeys > 0 ? undefined : t.factorFirst}
                    onClick={makeCodes}
                  >
                    {t.newCodes}
                  </Button>
                ) : (
                  <QuickConfirm
                    question={t.newCodesQuestion({ count: recoveryCodes })}
                    verb={t.makeNewCodes}
                    onConfirm={makeCodes}
                  >
                    <Button size="small">{t.newCodesAsking}</Button>
                  </QuickConfirm>
                )}
              </Factor>
            </ul>
          )}
        </Loaded>
      </Card>
      <Passkeys onCodes={show} />
      {adding ? <TotpDialog onClose={() => setAdding(false)} onDone={show} /> : null}
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </>
  )
}

/** One second factor: its name, a description, and its actions. */
const Factor = ({
  name,
  about,
  children,
}: {
  name: string
  about: string
  children: ReactNode
}) => (
  <li className={styles.factor}>
    <div>
      <b>{name}</b>
      <p>{about}</p>
    </div>
    <Row>{children}</Row>
  </li>
)

function RemoveAuthenticator() {
  const remove = useAct('DELETE /api/auth/totp', FACTORS)
  return (
    <QuickConfirm
      question={t.removeAuthenticatorQuestion}
      verb={t.removeAuthenticator}
      onConfirm={() =>
        remove.mutate(
          {},
          {
            onSuccess: () => toastDone(t.authenticatorRemoved),
            onError: (error) => toastRefused(t.authenticatorNotRemoved, error),
          },
        )
      }
    >
      <Button size="small">{t.remove}</Button>
    </QuickConfirm>
  )
}
