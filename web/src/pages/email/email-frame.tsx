import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'

/** The outbox and the mail templates. */
export default function EmailFrame() {
  const may = useMay()
  return (
    <Page
      title="E-mail"
      actions={
        may('settings.manage') ? (
          <LinkButton to={paths.settingsMail}>Mail settings</LinkButton>
        ) : undefined
      }
    >
      {may('settings.manage') ? <CatcherNote /> : null}
      <TabBar label="Parts of e-mail">
        <Tab to={paths.email} activeOptions={{ exact: true, includeSearch: false }}>
          Outbox
        </Tab>
        <Tab to={paths.emailTemplates}>Templates</Tab>
      </TabBar>
      <Outlet />
    </Page>
  )
}

/** Notes that mail is only kept here while it cannot be sent. */
function CatcherNote() {
  const settings = useQuery(q('GET /api/settings/mail'))
  if (settings.data === undefined || settings.data.host !== null) return null
  return (
    <Note
      tone="info"
      title="No mail server is set"
      action={
        <LinkButton to={paths.settingsMail} size="small">
          Set a mail server
        </LinkButton>
      }
    >
      Nothing is sent. Mail is kept here to be read, so that links of invitations and confirmations
      can be handed on by other ways.
    </Note>
  )
}
