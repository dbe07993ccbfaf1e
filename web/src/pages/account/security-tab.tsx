import { Card } from '../../ui/page/card.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecurityCard } from './security-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { t } from './words.ts'

/** Second factors, password, devices. */
export default function SecurityTab() {
  return (
    <>
      <SecurityCard />
      <SessionsCard />
      <Card title={t.password}>
        <PasswordForm />
      </Card>
    </>
  )
}
