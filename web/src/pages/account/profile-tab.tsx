import { useChooseDensity, useChooseMode } from '../../session/preferences.ts'
import { type Me, useMe } from '../../session/session.ts'
import { useMode } from '../../theme/theme-provider.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { AboutForm } from './about-form.tsx'
import { EmailForm } from './email-form.tsx'

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'As the system' },
] as const

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

const roleOf = (me: Me): string =>
  me.role === 'customer' ? 'Customer' : me.superAdmin ? 'Super administrator' : 'Administrator'

/** The person's profile and the panel's appearance. */
export default function ProfileTab() {
  const me = useMe()
  const [mode] = useMode()
  const chooseMode = useChooseMode()
  const chooseDensity = useChooseDensity()
  return (
    <>
      <Card title="You">
        <Facts
          rows={[
            ['E-mail', me.email],
            ['Role', roleOf(me)],
            ['Since', <Ago key="since" at={me.createdAt} />],
            [
              'Colours',
              <Segments
                key="mode"
                label="Colours"
                value={mode ?? 'system'}
                choices={MODES}
                onChange={chooseMode}
              />,
            ],
            [
              'Density',
              <Segments
                key="density"
                label="Density"
                value={me.preferences.density ?? 'comfortable'}
                choices={DENSITIES}
                onChange={chooseDensity}
              />,
            ],
          ]}
        />
      </Card>
      <Card title="About you">
        <AboutForm />
      </Card>
      <Card title="Another e-mail address">
        <EmailForm />
      </Card>
    </>
  )
}
