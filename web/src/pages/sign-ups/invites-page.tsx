import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { q, qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { useList } from '../../session/use-list.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Column as Stack } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { inviteColumns, inviteTools } from './invite-list.tsx'
import { NewInvite } from './new-invite.tsx'
import { t } from './words.ts'

/** Invitation codes: who created them, how often they were used, and when they expire. */
export default function InvitesPage() {
  const invites = useQuery(qAll('GET /api/signup/invites'))
  const [code, setCode] = useState<string>()
  const [making, setMaking] = useState(false)
  const view = useViewAddress()
  const list = useList('invites', useMemo(inviteColumns, []))
  const tools = useMemo(inviteTools, [])
  return (
    <Page
      title={t.invitations}
      lead={t.invitationsLead}
      actions={
        <Button kind="primary" icon={<Plus />} onClick={() => setMaking(true)}>
          {t.newInvitation}
        </Button>
      }
    >
      <ModeNote />
      {code === undefined ? null : (
        <Note tone="ok" title={t.copyNow}>
          <Stack gap={10}>
            <CommandBox command={`${location.origin}${paths.signUp}#code=${code}`} label={t.link} />
            <CommandBox command={code} label={t.codeAlone} />
          </Stack>
        </Note>
      )}
      <ShortList
        label={t.list}
        searchLabel={t.searchInvites}
        file="invitations.csv"
        query={invites}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noInviteMatches}
        empty={
          <Empty title={t.none} art="mail">
            {t.noneText}
          </Empty>
        }
      />
      <Dialog title={t.newInvitation} opened={making} onClose={() => setMaking(false)}>
        <NewInvite
          onMade={(made) => {
            setCode(made)
            setMaking(false)
          }}
        />
      </Dialog>
    </Page>
  )
}

/** A note that codes have no effect at present. */
function ModeNote() {
  const may = useMay()
  const config = useQuery(q('GET /api/signup/config'))
  const mode = config.data?.mode
  if (mode !== 'closed' && mode !== 'open') return null
  return (
    <Note tone={mode === 'closed' ? 'warn' : 'info'} title={mode === 'closed' ? t.closed : t.open}>
      {mode === 'closed' ? t.closedText : t.openText}{' '}
      {may('signup.manage') ? <Link to={paths.settings}>{t.changeSettings}</Link> : null}
    </Note>
  )
}
