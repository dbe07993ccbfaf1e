import type { Session, SupportView } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'

const LIST = ['GET /api/auth/sessions'] as const
const refused = (error: Error) => toastRefused('The device was not signed out', error)

const VIEWS: readonly Column<SupportView>[] = [
  { header: 'Who', role: 'title', cell: () => <Text strong>Viewed by support</Text> },
  { header: 'Began', cell: ({ startedAt }) => <Ago at={startedAt} /> },
  {
    header: 'Ended',
    cell: ({ endedAt }) =>
      endedAt === null ? <Pill tone="info">Going on</Pill> : <Ago at={endedAt} />,
  },
]

/** Devices that are signed in to this account, and when support viewed it. */
export function SessionsCard() {
  const sessions = useQuery(q('GET /api/auth/sessions'))
  const end = useAct('DELETE /api/auth/sessions/{id}', LIST)
  const endOthers = useAct('POST /api/auth/sessions/revoke-others', LIST)
  const columns: readonly Column<Session>[] = [
    {
      header: 'Device',
      role: 'title',
      cell: (session) => (
        <Row gap={6}>
          <Text strong>{session.device}</Text>
          {session.current ? <Pill tone="ok">This device</Pill> : null}
        </Row>
      ),
    },
    { header: 'Address', cell: (session) => <Text mono>{session.address}</Text> },
    { header: 'Last seen', cell: (session) => <Ago at={session.lastSeenAt} /> },
    {
      header: 'Actions',
      role: 'acts',
      cell: (session) => (
        <Button
          size="small"
          disabledBecause={session.current ? 'Use Sign out in the account menu' : undefined}
          onClick={() => end.mutate({ params: { id: session.id } }, { onError: refused })}
        >
          Sign out
        </Button>
      ),
    },
  ]
  return (
    <Card
      title="Devices"
      flush
      actions={
        <QuickConfirm
          question="Sign out everywhere else?"
          verb="Sign out everywhere else"
          onConfirm={() => endOthers.mutate({}, { onError: refused })}
        >
          <Button size="small">Sign out everywhere else</Button>
        </QuickConfirm>
      }
    >
      <Loaded query={sessions} lines={3}>
        {({ items, views }) => (
          <>
            <Table
              label="Devices"
              rows={items}
              columns={columns}
              keyOf={(session) => session.id}
              empty={null}
            />
            {views.length === 0 ? null : (
              <Table
                label="Viewed by support"
                rows={views}
                columns={VIEWS}
                keyOf={(view) => view.id}
                empty={null}
              />
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}
