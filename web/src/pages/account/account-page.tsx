import { useChooseMode } from '../../session/mode.ts'
import { useMe } from '../../session/session.ts'
import { useMode } from '../../theme/theme-provider.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Ago } from '../../ui/time.tsx'
import { LimitsCard } from './limits-card.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecurityCard } from './security-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'As the system' },
] as const

/** Your own account: looks, password, devices. */
export default function AccountPage() {
  const me = useMe()
  const [mode] = useMode()
  const choose = useChooseMode()
  return (
    <Page title="Account" narrow>
      <Card title="You">
        <Facts
          rows={[
            ['E-mail', me.email],
            [
              'Role',
              me.role === 'admin'
                ? me.superAdmin
                  ? 'Super administrator'
                  : 'Administrator'
                : 'Customer',
            ],
            ['Since', <Ago key="since" at={me.createdAt} />],
            [
              'Colours',
              <Segments
                key="mode"
                label="Colours"
                value={mode ?? 'system'}
                choices={MODES}
                onChange={choose}
              />,
            ],
          ]}
        />
      </Card>
      <Card title="Password">
        <PasswordForm />
      </Card>
      <SecurityCard />
      {me.role === 'customer' ? <LimitsCard /> : null}
      <SessionsCard />
    </Page>
  )
}
