import { type Me, useMe } from '../../session/session.ts'
import { dateText } from '../../ui/data/timestamps.ts'
import { Avatar } from '../../ui/icons/avatar.tsx'
import { Card } from '../../ui/page/card.tsx'
import styles from './account.module.css'
import { EmailForm } from './email-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'

const roleOf = (me: Me): string =>
  me.role === 'customer' ? 'Customer' : me.superAdmin ? 'Super administrator' : 'Administrator'

/** Who the person is, their preferences and their address. */
export default function ProfileTab() {
  const me = useMe()
  const since = dateText(me.createdAt, { day: 'numeric', month: 'long', year: 'numeric' })
  return (
    <>
      <div className={styles.you}>
        <Avatar email={me.email} name={me.name} size="large" />
        <div>
          <b>{me.name ?? me.email}</b>
          <p>
            {me.name === null ? null : `${me.email} · `}
            {roleOf(me)} since {since}
          </p>
        </div>
      </div>
      <Card title="Preferences">
        <PreferencesForm />
      </Card>
      <Card title="E-mail address">
        <div className={styles.fields}>
          <EmailForm />
        </div>
      </Card>
    </>
  )
}
