import { Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMe } from '../../session/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { t } from './words.ts'

/** The tabs of the person's own account. */
export default function AccountFrame() {
  const { role } = useMe()
  return (
    <Page title={t.account} narrow>
      <TabBar label={t.parts}>
        <Tab to={paths.account} activeOptions={{ exact: true }}>
          {t.profile}
        </Tab>
        <Tab to={paths.accountSecurity}>{t.security}</Tab>
        <Tab to={paths.accountKeys}>{t.sshKeys}</Tab>
        <Tab to={paths.accountNotifications}>{t.notifications}</Tab>
        {role === 'customer' ? <Tab to={paths.accountLimits}>{t.limits}</Tab> : null}
      </TabBar>
      <Outlet />
    </Page>
  )
}
