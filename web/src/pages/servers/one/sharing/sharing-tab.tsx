import { useQuery } from '@tanstack/react-query'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import UserPlus from 'lucide-react/icons/user-plus'
import { useState } from 'react'
import { q, useAct } from '../../../../query.ts'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Avatar } from '../../../../ui/icons/avatar.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { rich } from '../../../../ui/page/rich.ts'
import { useLacking, useRights } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { presetOf } from './rights-words.ts'
import { type Collaborator, ShareForm } from './share-form.tsx'
import { t } from './words.ts'

const personColumns = (): readonly Column<Collaborator>[] => [
  {
    header: t.person,
    role: 'title',
    cell: ({ email, name }) => (
      <Row gap={10} nowrap>
        <Avatar email={email} name={name} />
        <Stack gap={0}>
          <Text strong>{name ?? email}</Text>
          {name === null ? null : (
            <Text small muted>
              {email}
            </Text>
          )}
        </Stack>
      </Row>
    ),
  },
  {
    header: t.state,
    cell: ({ state, expiresAt }) =>
      state === 'active' ? (
        <Pill tone="ok">{t.hasAccess}</Pill>
      ) : (
        <Row gap={6}>
          <Pill tone="info">{t.isInvited}</Pill>
          {expiresAt === null ? null : (
            <Text small muted>
              {rich(t.invitationEnds({ when: () => <Ago at={expiresAt} /> }))}
            </Text>
          )}
        </Row>
      ),
  },
  {
    header: t.permissions,
    cell: ({ permissions, files }) => (
      <Stack gap={0}>
        {presetOf(permissions)?.name() ?? t.permissionCount({ count: permissions.length })}
        {files.length === 0 ? null : (
          <Text small muted>
            {t.foldersNarrowed}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    header: t.since,
    secondary: true,
    cell: ({ createdAt, invitedBy }) => (
      <Text muted>
        {invitedBy === null ? (
          <Ago at={createdAt} />
        ) : (
          rich(t.sinceBy({ when: () => <Ago at={createdAt} />, person: invitedBy }))
        )}
      </Text>
    ),
  },
]

/** The server's collaborators and their permissions. */
export default function SharingTab() {
  const server = useServer()
  const rights = useRights(server.id)
  const lacking = useLacking(server.id)
  const params = { id: server.id }
  const people = useQuery(q('GET /api/servers/{id}/collaborators', { params }))
  const remove = useAct('DELETE /api/servers/{id}/collaborators/{userId}', [
    'GET /api/servers/{id}/collaborators',
  ])
  const [asked, setAsked] = useState<'invite' | Collaborator>()
  const [removing, setRemoving] = useState<Collaborator>()
  const blocked = lacking('POST /api/servers/{id}/collaborators', 'collaborators.manage')
  const person = asked === 'invite' ? undefined : asked
  const invite = (
    <Button icon={<UserPlus />} disabledBecause={blocked} onClick={() => setAsked('invite')}>
      {t.invite}
    </Button>
  )
  const acts: Column<Collaborator> = {
    header: t.actions,
    role: 'acts',
    cell: (row) => (
      <Row gap={2} nowrap>
        <IconButton
          label={t.changePermissions({ email: row.email })}
          size="small"
          disabledBecause={blocked}
          onClick={() => setAsked(row)}
        >
          <Pencil />
        </IconButton>
        <IconButton
          label={t.remove({ email: row.email })}
          size="small"
          disabledBecause={blocked}
          onClick={() => setRemoving(row)}
        >
          <Trash2 />
        </IconButton>
      </Row>
    ),
  }
  return (
    <Stack>
      <Card title={t.sharedWith} flush actions={invite}>
        <Loaded query={people}>
          {({ items }) => (
            <Table
              label={t.people}
              rows={items}
              columns={[...personColumns(), acts]}
              keyOf={({ id }) => id}
              empty={
                <Empty title={t.notShared} art="people">
                  {t.notSharedText}
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
      <Dialog
        title={person ? t.permissionsOf({ email: person.email }) : t.invite}
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        wide
      >
        <ShareForm
          key={person?.id ?? 'new'}
          serverId={server.id}
          held={rights?.permissions ?? []}
          person={person}
          onDone={() => setAsked(undefined)}
        />
      </Dialog>
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={removing?.state === 'invited' ? t.withdraw : t.endAccess}
        verb={removing?.state === 'invited' ? t.withdraw : t.endAccess}
        onConfirm={() => remove.mutateAsync({ params: { ...params, userId: removing?.id ?? '' } })}
      >
        {removing?.state === 'invited'
          ? t.withdrawText({ email: removing.email })
          : t.endAccessText({ email: removing?.email ?? '' })}
      </ConfirmDialog>
    </Stack>
  )
}
