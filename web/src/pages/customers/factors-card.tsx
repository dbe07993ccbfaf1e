import type { SecondFactors } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

interface FactorsCardProps {
  id: string
  email: string
  factors: SecondFactors
}

/** The second factors of a customer, which staff remove for who has lost them all. */
export function FactorsCard({ id, email, factors }: FactorsCardProps) {
  const [asking, setAsking] = useState(false)
  const missing = useMissing()('customers.manage')
  const remove = useAct('DELETE /api/customers/{id}/second-factors', [
    'GET /api/customers/{id}/sign-ins',
  ])
  const { totp, passkeys, recoveryCodes } = factors
  const hasNone = !totp && passkeys === 0
  return (
    <Card title={t.secondFactors}>
      <Row between>
        <Text muted>
          {hasNone
            ? t.noFactors
            : t.factorsAre({ app: totp ? 'yes' : 'no', passkeys, codes: recoveryCodes })}
        </Text>
        {hasNone ? null : (
          <Button
            kind="warning"
            size="small"
            disabledBecause={missing}
            onClick={() => setAsking(true)}
          >
            {t.removeFactorsEntry}
          </Button>
        )}
      </Row>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.removeFactorsTitle({ email })}
        verb={t.removeFactors}
        kind="warning"
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone(t.factorsRemoved({ email }))
        }}
      >
        {t.removeFactorsText}
      </ConfirmDialog>
    </Card>
  )
}
