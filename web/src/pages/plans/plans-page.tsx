import type { Plan } from '@lodge/shared/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { type SortKeys, sortRows } from '../../ui/data/sort-rows.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import styles from '../servers/servers.module.css'
import { liveSubscribers, planSummary } from './plan-words.ts'

const COLUMNS: readonly Column<Plan>[] = [
  {
    header: 'Plan',
    role: 'title',
    sort: 'name',
    cell: ({ id, name, description, archivedAt }) => (
      <div className={styles.name}>
        <Row gap={6}>
          <Link to={paths.plan} params={{ id }}>
            {name}
          </Link>
          {archivedAt === null ? null : <Pill tone="idle">Archived</Pill>}
        </Row>
        <small>{description}</small>
      </div>
    ),
  },
  { header: 'Limits', cell: planSummary },
  {
    header: 'Customers',
    sort: 'customers',
    highestFirst: true,
    right: true,
    tight: true,
    cell: liveSubscribers,
  },
]

const KEYS: SortKeys<Plan> = {
  name: ({ name }) => name,
  customers: liveSubscribers,
}

/** Account plans with the number of their subscribers. */
export default function PlansPage() {
  const plans = useQuery(q('GET /api/plans'))
  const [sort, setSort] = useState<string>()
  const may = useMay()
  const create = may('plans.manage') ? (
    <LinkButton to={paths.newPlan} kind="primary" icon={<Plus />}>
      New plan
    </LinkButton>
  ) : undefined
  return (
    <Page
      title="Plans"
      lead="Sets of limits that customers get together. An invitation can bring one."
      actions={create}
    >
      <Card flush>
        <Loaded query={plans} lines={4}>
          {({ items }) => (
            <Table
              label="Plans"
              rows={sortRows(items, sort, KEYS)}
              keys
              sorting={{ by: sort, onChange: setSort }}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              empty={
                <Empty title="No plans yet" art="plans">
                  A plan gives customers its limits, for example when they sign up with an
                  invitation.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
