import type { SignIns } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Table, type Column as TableColumn } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { useCustomer } from './use-customer.ts'

const SESSIONS: readonly TableColumn<SignIns['sessions'][number]>[] = [
  { header: 'Device', role: 'title', cell: ({ device }) => <Text strong>{device}</Text> },
  { header: 'Address', cell: ({ address }) => <Text mono>{address}</Text> },
  { header: 'Signed in', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { header: 'Last seen', cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
]

const RECENT: readonly TableColumn<SignIns['recent'][number]>[] = [
  { header: 'When', role: 'title', cell: ({ at }) => <Ago at={at} /> },
  { header: 'Device', cell: ({ device }) => device ?? <Text faint>Unknown</Text> },
  {
    header: 'Address',
    cell: ({ address }) =>
      address === null ? <Text faint>Unknown</Text> : <Text mono>{address}</Text>,
  },
]

/** Where a customer is signed in, and their last sign-ins. */
export default function SignInsTab() {
  const { id, email } = useCustomer()
  const found = useQuery(q('GET /api/customers/{id}/sign-ins', { params: { id } }))
  return (
    <Loaded query={found} lines={6}>
      {({ sessions, recent }) => (
        <Column gap={24}>
          <Card title="Signed in now" flush>
            <Table
              label="Open sessions"
              rows={sessions}
              columns={SESSIONS}
              keyOf={(session) => session.id}
              empty={<Empty title="Not signed in anywhere" art="locked" />}
            />
          </Card>
          <Card title="Recent sign-ins" flush>
            <Table
              label="Recent sign-ins"
              rows={recent}
              columns={RECENT}
              keyOf={(one) => one.id}
              empty={
                <Empty title="No sign-ins yet" art="key">
                  {email} has never signed in.
                </Empty>
              }
            />
          </Card>
        </Column>
      )}
    </Loaded>
  )
}
