import { Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMe } from '../../session/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'

/** The tabs of the person's own account. */
export default function AccountFrame() {
  const { role } = useMe()
  return (
    <Page title="Account" narrow>
      <TabBar label="Parts of the account">
        <Tab to={paths.account} activeOptions={{ exact: true }}>
          Profile
        </Tab>
        <Tab to={paths.accountSecurity}>Security</Tab>
        {role === 'customer' ? <Tab to={paths.accountLimits}>Limits</Tab> : null}
      </TabBar>
      <Outlet />
    </Page>
  )
}
