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
import { t } from './words.ts'

type Invite = Reply<'GET /api/signup/invites'>['items'][number]

/** Invitation codes: who created them, how often they were used, and when they expire. */
export default function InvitesPage() {
  const invites = useQuery(q('GET /api/signup/invites'))
  const [code, setCode] = useState<string>()
  return (
    <Page title={t.invitations} lead={t.invitationsLead}>
      <ModeNote />
      {code === undefined ? null : (
        <Note tone="ok" title={t.copyNow}>
          <Stack gap={10}>
            <CommandBox command={`${location.origin}${paths.signUp}#code=${code}`} label={t.link} />
            <CommandBox command={code} label={t.codeAlone} />
          </Stack>
        </Note>
      )}
      <Split side={360}>
        <Card title={t.list} flush>
          <Loaded query={invites} lines={4}>
            {({ items }) => (
              <Table
                label={t.list}
                rows={items}
                columns={columns()}
                keyOf={({ id }) => id}
                empty={
                  <Empty title={t.none} art="mail">
                    {t.noneText}
                  </Empty>
                }
              />
            )}
          </Loaded>
        </Card>
        <Card title={t.newInvitation}>
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
    <Note tone={mode === 'closed' ? 'warn' : 'info'} title={mode === 'closed' ? t.closed : t.open}>
      {mode === 'closed' ? t.closedText : t.openText}{' '}
      {may('signup.manage') ? <Link to={paths.settings}>{t.changeSettings}</Link> : null}
    </Note>
  )
}

const columns = (): readonly Column<Invite>[] => [
  {
    header: t.invitation,
    role: 'title',
    cell: (invite) => (
      <div className={styles.name}>
        <Text strong>{invite.note ?? invite.email ?? t.withoutNote}</Text>
        <small>
          {invite.email !== null && invite.note !== null
            ? t.forAddress({ prefix: invite.prefix, email: invite.email })
            : t.beginning({ prefix: invite.prefix })}
        </small>
      </div>
    ),
  },
  { header: t.used, cell: (invite) => <Uses invite={invite} /> },
  { header: t.ends, cell: (invite) => <Ends invite={invite} /> },
  { header: t.plan, secondary: true, cell: ({ planName }) => planName ?? t.noPlanShort },
  { header: t.actions, role: 'acts', cell: (invite) => <Revoke invite={invite} /> },
]

function Uses({ invite: { uses, maxUses } }: { invite: Invite }) {
  return uses >= maxUses ? (
    <Pill tone="idle">{t.usedUp}</Pill>
  ) : (
    <Text>{t.usesOf({ uses, maxUses })}</Text>
  )
}

function Ends({ invite: { expiresAt } }: { invite: Invite }) {
  const now = useNow(60_000)
  if (expiresAt === null) return <Text muted>{t.never}</Text>
  return Date.parse(expiresAt) < now ? <Pill tone="idle">{t.ended}</Pill> : <Ago at={expiresAt} />
}

function Revoke({ invite }: { invite: Invite }) {
  const revoke = useAct('DELETE /api/signup/invites/{id}', ['GET /api/signup/invites'])
  return (
    <QuickConfirm
      question={t.revokeQuestion}
      verb={t.revokeInvitation}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: invite.id } },
          {
            onSuccess: () => toastDone(t.revoked),
            onError: (error) => toastRefused(t.notRevoked, error),
          },
        )
      }
    >
      <Button size="small" aria-label={t.revokeOne({ name: invite.note ?? invite.prefix })}>
        {t.revoke}
      </Button>
    </QuickConfirm>
  )
}
