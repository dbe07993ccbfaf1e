import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q, useAct } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago, useNow } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Split, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import styles from '../servers/servers.module.css'
import { NewInvite } from './new-invite.tsx'

type Invite = Reply<'GET /api/signup/invites'>['items'][number]

/** Invitation codes: who created them, how often they were used, and when they expire. */
export default function InvitesPage() {
  const invites = useQuery(q('GET /api/signup/invites'))
  const [code, setCode] = useState<string>()
  return (
    <Page
      title="Sign-up invitations"
      lead="A code lets people in while sign-up is by invitation, and past the approval."
    >
      <ModeNote />
      {code === undefined ? null : (
        <Note tone="ok" title="Copy the invitation now: it is not shown again">
          <Stack gap={10}>
            <CommandBox command={`${location.origin}${paths.signUp}#code=${code}`} label="Link" />
            <CommandBox command={code} label="Code alone" />
          </Stack>
        </Note>
      )}
      <Split side={360}>
        <Card title="Invitations" flush>
          <Loaded query={invites} lines={4}>
            {({ items }) => (
              <Table
                label="Invitations"
                rows={items}
                columns={COLUMNS}
                keyOf={({ id }) => id}
                empty={
                  <Empty title="No invitations yet" art="mail">
                    Create one, and hand its link to whoever may sign up.
                  </Empty>
                }
              />
            )}
          </Loaded>
        </Card>
        <Card title="New invitation">
          <NewInvite onMade={setCode} />
        </Card>
      </Split>
    </Page>
  )
}

/** Notes when codes have no effect at present. */
function ModeNote() {
  const may = useMay()
  const config = useQuery(q('GET /api/signup/config'))
  const mode = config.data?.mode
  if (mode !== 'closed' && mode !== 'open') return null
  return (
    <Note
      tone={mode === 'closed' ? 'warn' : 'info'}
      title={mode === 'closed' ? 'Sign-up is closed' : 'Sign-up is open to everybody'}
    >
      {mode === 'closed'
        ? 'Codes cannot be used until it is by invitation or open. '
        : 'Nobody needs a code; one may still bring a plan. '}
      {may('signup.manage') ? <Link to={paths.settings}>Change the settings</Link> : null}
    </Note>
  )
}

const COLUMNS: readonly Column<Invite>[] = [
  {
    header: 'Invitation',
    role: 'title',
    cell: (invite) => (
      <div className={styles.name}>
        <Text strong>{invite.note ?? invite.email ?? 'Without a note'}</Text>
        <small>
          {invite.prefix}…
          {invite.email !== null && invite.note !== null ? ` for ${invite.email}` : ''}
        </small>
      </div>
    ),
  },
  { header: 'Used', cell: (invite) => <Uses invite={invite} /> },
  { header: 'Ends', cell: (invite) => <Ends invite={invite} /> },
  { header: 'Plan', secondary: true, cell: ({ planName }) => planName ?? 'none' },
  { header: 'Actions', role: 'acts', cell: (invite) => <Revoke invite={invite} /> },
]

function Uses({ invite: { uses, maxUses } }: { invite: Invite }) {
  return uses >= maxUses ? (
    <Pill tone="idle">Used up</Pill>
  ) : (
    <Text>
      {uses} of {maxUses}
    </Text>
  )
}

function Ends({ invite: { expiresAt } }: { invite: Invite }) {
  const now = useNow(60_000)
  if (expiresAt === null) return <Text muted>never</Text>
  return Date.parse(expiresAt) < now ? <Pill tone="idle">Ended</Pill> : <Ago at={expiresAt} />
}

function Revoke({ invite }: { invite: Invite }) {
  const revoke = useAct('DELETE /api/signup/invites/{id}', ['GET /api/signup/invites'])
  return (
    <QuickConfirm
      question="Revoke this invitation? Accounts that used it stay."
      verb="Revoke invitation"
      onConfirm={() =>
        revoke.mutate(
          { params: { id: invite.id } },
          {
            onSuccess: () => toastDone('Invitation revoked'),
            onError: (error) => toastRefused('It was not revoked', error),
          },
        )
      }
    >
      <Button size="small" aria-label={`Revoke ${invite.note ?? invite.prefix}`}>
        Revoke
      </Button>
    </QuickConfirm>
  )
}
