import { served } from '@lodge/shared/panel-paths.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { t } from './words.ts'

/** The areas of the status page. */
export default function StatusFrame() {
  const settings = useQuery(q('GET /api/status/settings'))
  const enabled = settings.data?.enabled
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        enabled ? (
          <a href={served.statusPage} target="_blank" rel="noreferrer">
            {t.openPage}
          </a>
        ) : undefined
      }
    >
      {enabled === false ? (
        <Note tone="info" title={t.off}>
          {t.offText} <Link to={paths.statusSettings}>{t.toSettings}</Link>
        </Note>
      ) : null}
      <TabBar label={t.areas}>
        <Tab to={paths.statusIncidents} activeOptions={{ exact: true }}>
          {t.incidents}
        </Tab>
        <Tab to={paths.statusComponents}>{t.components}</Tab>
        <Tab to={paths.statusSettings}>{t.settings}</Tab>
      </TabBar>
      <Outlet />
    </Page>
  )
}
