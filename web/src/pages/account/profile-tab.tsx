import { type Me, useMe } from '../../session/session.ts'
import { Avatar } from '../../ui/icons/avatar.tsx'
import { dateText } from '../../ui/locale/timestamps.ts'
import { Card } from '../../ui/page/card.tsx'
import styles from './account.module.css'
import { EmailForm } from './email-form.tsx'
import { PreferencesForm } from './preferences-form.tsx'
import { t } from './words.ts'

const roleOf = ({ role, superAdmin }: Me): string => (superAdmin ? 'superAdmin' : role)

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
            {me.name === null
              ? t.roleSince({ role: roleOf(me), since })
              : t.emailRoleSince({ email: me.email, role: roleOf(me), since })}
          </p>
        </div>
      </div>
      <Card title={t.preferences}>
        <PreferencesForm />
      </Card>
      <Card title={t.emailAddress}>
        <div className={styles.fields}>
          <EmailForm />
        </div>
      </Card>
    </>
  )
}
