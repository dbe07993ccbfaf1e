import type { Reply } from '../../api.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data/column.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago, useNow } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import type { RowTools } from '../../ui/lists/short-list.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import { t } from './words.ts'

export type Invite = Reply<'GET /api/signup/invites'>['items'][number]
type State = 'usable' | 'used-up' | 'expired'

const hasExpired = ({ expiresAt }: Invite, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) < now
const isUsedUp = ({ uses, maxUses }: Invite): boolean => uses >= maxUses
const stateOf = (invite: Invite, now: number): State =>
  isUsedUp(invite) ? 'used-up' : hasExpired(invite, now) ? 'expired' : 'usable'
const titleOf = ({ note, email }: Invite): string => note ?? email ?? t.withoutNote

/** Every column that the list of invitations offers. */
export const inviteColumns = (): readonly Column<Invite>[] => [
  {
    id: 'invitation',
    header: t.invitation,
    role: 'title',
    sort: 'invitation',
    cell: (invite) => (
      <div className={styles.name}>
        <Text strong>{titleOf(invite)}</Text>
        <small>
          {invite.email !== null && invite.note !== null
            ? t.forAddress({ prefix: invite.prefix, email: invite.email })
            : t.beginning({ prefix: invite.prefix })}
        </small>
      </div>
    ),
  },
  {
    id: 'used',
    header: t.used,
    sort: 'used',
    highestFirst: true,
    right: true,
    tight: true,
    cell: (invite) => <Uses invite={invite} />,
  },
  {
    id: 'plan',
    header: t.plan,
    sort: 'plan',
    secondary: true,
    cell: ({ planName }) => planName ?? t.noPlanShort,
  },
  {
    id: 'expires',
    header: t.ends,
    sort: 'expires',
    right: true,
    tight: true,
    cell: (invite) => <Ends invite={invite} />,
  },
  {
    id: 'created',
    header: t.created,
    sort: 'created',
    highestFirst: true,
    right: true,
    tight: true,
    optional: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (invite) => <Revoke invite={invite} />,
  },
]

function Uses({ invite }: { invite: Invite }) {
  const { uses, maxUses } = invite
  return isUsedUp(invite) ? (
    <Pill tone="idle">{t.usedUp}</Pill>
  ) : (
    <Text>{t.usesOf({ uses, maxUses })}</Text>
  )
}

function Ends({ invite }: { invite: Invite }) {
  const now = useNow(60_000)
  const { expiresAt } = invite
  if (expiresAt === null) return <Text muted>{t.never}</Text>
  return hasExpired(invite, now) ? <Pill tone="idle">{t.ended}</Pill> : <Ago at={expiresAt} />
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

/** How invitations are filtered, sorted and exported. */
export const inviteTools = (): RowTools<Invite> => ({
  fields: [
    {
      name: 'state',
      label: t.state,
      chips: true,
      values: [
        { value: 'usable', label: t.usable },
        { value: 'used-up', label: t.usedUp },
        { value: 'expired', label: t.ended },
      ],
      of: (invite) => stateOf(invite, Date.now()),
    },
    {
      name: 'email',
      label: t.email,
      example: 'email:*@example.com',
      of: ({ email }) => email ?? '',
    },
    { name: 'plan', label: t.plan, example: 'plan:starter', of: ({ planName }) => planName ?? '' },
  ],
  textOf: ({ note, email, prefix }) => `${note ?? ''}\n${email ?? ''}\n${prefix}`,
  sortKeys: {
    invitation: titleOf,
    used: ({ uses }) => uses,
    plan: ({ planName }) => planName,
    expires: ({ expiresAt }) => expiresAt,
    created: ({ createdAt }) => createdAt,
  },
  csv: [
    ['id', ({ id }) => id],
    ['starts_with', ({ prefix }) => prefix],
    ['note', ({ note }) => note],
    ['email', ({ email }) => email],
    ['uses', ({ uses }) => uses],
    ['max_uses', ({ maxUses }) => maxUses],
    ['plan', ({ planName }) => planName],
    ['expires_at', ({ expiresAt }) => expiresAt],
    ['created_at', ({ createdAt }) => createdAt],
  ],
})
