import type { Session, SupportView } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { said } from '../../panel/said.ts'
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
import { t } from './words.ts'

const LIST = ['GET /api/auth/sessions'] as const
const refused = (error: Error) => toastRefused(t.notSignedOut, error)

const viewColumns = (): readonly Column<SupportView>[] => [
  { header: t.viewer, role: 'title', cell: () => <Text strong>{t.bySupport}</Text> },
  { header: t.began, cell: ({ startedAt }) => <Ago at={startedAt} /> },
  {
    header: t.ended,
    cell: ({ endedAt }) =>
      endedAt === null ? <Pill tone="info">{t.goingOn}</Pill> : <Ago at={endedAt} />,
  },
]

/** Devices that are signed in to this account, and when support viewed it. */
export function SessionsCard() {
  const sessions = useQuery(q('GET /api/auth/sessions'))
  const end = useAct('DELETE /api/auth/sessions/{id}', LIST)
  const endOthers = useAct('POST /api/auth/sessions/revoke-others', LIST)
  const columns: readonly Column<Session>[] = [
    {
      header: t.device,
      role: 'title',
      cell: (session) => (
        <Row gap={6}>
          <Text strong>{said(session.device)}</Text>
          {session.current ? <Pill tone="ok">{t.thisDevice}</Pill> : null}
        </Row>
      ),
    },
    { header: t.address, cell: (session) => <Text mono>{session.address}</Text> },
    { header: t.lastSeen, cell: (session) => <Ago at={session.lastSeenAt} /> },
    {
      header: t.actions,
      role: 'acts',
      cell: (session) => (
        <Button
          size="small"
          disabledBecause={session.current ? t.signOutHere : undefined}
          onClick={() => end.mutate({ params: { id: session.id } }, { onError: refused })}
        >
          {t.signOutDevice}
        </Button>
      ),
    },
  ]
  return (
    <Card
      title={t.devices}
      flush
      actions={
        <QuickConfirm
          question={t.signOutOthersQuestion}
          verb={t.signOutOthers}
          onConfirm={() => endOthers.mutate({}, { onError: refused })}
        >
          <Button
            size="small"
            disabledBecause={sessions.data?.items.length === 1 ? t.noOtherDevice : undefined}
          >
            {t.signOutOthers}
          </Button>
        </QuickConfirm>
      }
    >
      <Loaded query={sessions} lines={3}>
        {({ items, views }) => (
          <>
            <Table
              label={t.devices}
              rows={items}
              columns={columns}
              keyOf={(session) => session.id}
              empty={null}
            />
            {views.length === 0 ? null : (
              <Table
                label={t.views}
                rows={views}
                columns={viewColumns()}
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
