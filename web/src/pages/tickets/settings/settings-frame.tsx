import { Link, Outlet } from '@tanstack/react-router'
import { paths } from '../../../paths.ts'
import { Page } from '../../../ui/page/page.tsx'
import { Tab, TabBar } from '../../../ui/page/tabs.tsx'
import { t } from './words.ts'

/** The settings of the support desk. */
export default function SettingsFrame() {
  return (
    <Page title={t.title} crumbs={<Link to={paths.desk}>{t.tickets}</Link>}>
      <TabBar label={t.areas}>
        <Tab to={paths.deskSettings} activeOptions={{ exact: true }}>
          {t.general}
        </Tab>
        <Tab to={paths.deskCategories}>{t.categories}</Tab>
        <Tab to={paths.deskGroups}>{t.groups}</Tab>
        <Tab to={paths.deskRules}>{t.rules}</Tab>
        <Tab to={paths.deskHours}>{t.hours}</Tab>
        <Tab to={paths.deskTiers}>{t.tiers}</Tab>
      </TabBar>
      <Outlet />
    </Page>
  )
}
