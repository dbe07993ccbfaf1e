import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { t } from './words.ts'

/** The outbox and the mail templates. */
export default function EmailFrame() {
  const may = useMay()
  return (
    <Page
      title={t.email}
      actions={
        may('settings.manage') ? (
          <LinkButton to={paths.settingsMail}>{t.mailSettings}</LinkButton>
        ) : undefined
      }
    >
      {may('settings.manage') ? <CatcherNote /> : null}
      <TabBar label={t.parts}>
        <Tab to={paths.email} activeOptions={{ exact: true, includeSearch: false }}>
          {t.outbox}
        </Tab>
        <Tab to={paths.emailTemplates}>{t.templatesTab}</Tab>
      </TabBar>
      <Outlet />
    </Page>
  )
}

/** A note that mail is only stored here while it cannot be sent. */
function CatcherNote() {
  const settings = useQuery(q('GET /api/settings/mail'))
  if (settings.data === undefined || settings.data.host !== null) return null
  return (
    <Note
      tone="info"
      title={t.noServer}
      action={
        <LinkButton to={paths.settingsMail} size="small">
          {t.setServer}
        </LinkButton>
      }
    >
      {t.noServerText}
    </Note>
  )
}
