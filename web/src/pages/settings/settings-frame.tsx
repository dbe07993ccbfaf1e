import { Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { Page } from '../../ui/page.tsx'
import { Tab, TabBar } from '../../ui/tabs.tsx'

/** Settings of the installation; each area holds from the moment it is saved. */
export default function SettingsFrame() {
  const may = useMay()
  return (
    <Page title="Settings" narrow>
      <TabBar label="Areas of the settings">
        {may('signup.manage') ? (
          <Tab to={paths.settings} activeOptions={{ exact: true }}>
            Sign-up
          </Tab>
        ) : null}
        {may('settings.manage') ? <Tab to={paths.settingsSecurity}>Security</Tab> : null}
        {may('limits.settings') || may('settings.manage') ? (
          <Tab to={paths.settingsSelfService}>Self-service</Tab>
        ) : null}
        {may('limits.settings') ? <Tab to={paths.settingsLimits}>Limits</Tab> : null}
        {may('settings.manage') ? <Tab to={paths.settingsMail}>Mail</Tab> : null}
      </TabBar>
      <Outlet />
    </Page>
  )
}
