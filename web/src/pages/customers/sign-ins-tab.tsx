import type { SignIns } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { said } from '../../panel/said.ts'
import { q } from '../../query.ts'
import { Table, type Column as TableColumn } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { FactorsCard } from './factors-card.tsx'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

const sessionColumns = (): readonly TableColumn<SignIns['sessions'][number]>[] => [
  { header: t.device, role: 'title', cell: ({ device }) => <Text strong>{said(device)}</Text> },
  { header: t.address, cell: ({ address }) => <Text mono>{address}</Text> },
  { header: t.signedInAt, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  { header: t.lastSeen, cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
]

const recentColumns = (): readonly TableColumn<SignIns['recent'][number]>[] => [
  { header: t.when, role: 'title', cell: ({ at }) => <Ago at={at} /> },
  {
    header: t.device,
    cell: ({ device }) => (device === null ? <Text faint>{t.unknown}</Text> : said(device)),
  },
  {
    header: t.address,
    cell: ({ address }) =>
      address === null ? <Text faint>{t.unknown}</Text> : <Text mono>{address}</Text>,
  },
]

/** With what a customer signs in, where they are signed in, and their last sign-ins. */
export default function SignInsTab() {
  const { id, email } = useCustomer()
  const sessions = useMemo(sessionColumns, [])
  const recent = useMemo(recentColumns, [])
  const signIns = useQuery(q('GET /api/customers/{id}/sign-ins', { params: { id } }))
  return (
    <Loaded query={signIns} lines={6}>
      {(found) => (
        <Column gap={24}>
          <FactorsCard id={id} email={email} factors={found.secondFactors} />
          <Card title={t.signedInNow} flush>
            <Table
              label={t.openSessions}
              rows={found.sessions}
              columns={sessions}
              keyOf={(session) => session.id}
              empty={<Empty title={t.notSignedIn} art="locked" />}
            />
          </Card>
          <Card title={t.recentSignIns} flush>
            <Table
              label={t.recentSignIns}
              rows={found.recent}
              columns={recent}
              keyOf={(one) => one.id}
              empty={
                <Empty title={t.noSignIns} art="key">
                  {t.noSignInsText({ email })}
                </Empty>
              }
            />
          </Card>
        </Column>
      )}
    </Loaded>
  )
}
