import { useState } from 'react'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox, Copyable } from '../../ui/data/copy.tsx'
import { At } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Facts } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import type { Inbound } from './inbound-settings.tsx'
import { t } from './words.ts'

/** How mail gets here, and the secret with which a bridge signs it. */
export function BridgeSecret({ saved }: { saved: Inbound }) {
  const { hasSecret, formerSecretUntil: former, smtpPort } = saved
  const [secret, setSecret] = useState<string>()
  const make = useAct('POST /api/support/inbound/secret', ['GET /api/support/inbound/settings'])
  const onMake = (): void =>
    make.mutate(undefined, {
      onSuccess: (made) => setSecret(made.secret),
      onError: (error) => toastRefused(t.notMade, error),
    })
  return (
    <FormSection title={t.ways} description={t.waysText}>
      <Facts
        rows={[
          [
            t.bridgeAddress,
            <Copyable
              key="address"
              value={`${location.origin}/api/support/inbound`}
              label={t.copyBridge}
            />,
          ],
          [
            t.secret,
            <Text key="secret">
              {hasSecret ? t.secretSet : t.noSecret}{' '}
              {former === null ? null : rich(t.formerValid({ when: () => <At at={former} /> }))}
            </Text>,
          ],
          [
            t.ownServer,
            <Text key="server">
              {smtpPort === null
                ? rich(t.ownServerOff({ code: (text) => <code>{text}</code> }))
                : t.ownServerOn({ port: String(smtpPort) })}
            </Text>,
          ],
        ]}
      />
      <Row>
        {hasSecret ? (
          <QuickConfirm question={t.newSecretQuestion} verb={t.newSecret} onConfirm={onMake}>
            <Button busy={make.isPending}>{t.newSecret}</Button>
          </QuickConfirm>
        ) : (
          <Button busy={make.isPending} onClick={onMake}>
            {t.makeSecret}
          </Button>
        )}
      </Row>
      {secret === undefined ? null : (
        <Note tone="ok" role="status" title={t.secretTitle}>
          <CommandBox command={secret} label={t.secretLabel} />
        </Note>
      )}
    </FormSection>
  )
}
