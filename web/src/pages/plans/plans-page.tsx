import type { Plan } from '@lodge/shared/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import styles from '../servers/servers.module.css'
import { liveSubscribers, planSummary } from './plan-words.ts'

const COLUMNS: readonly Column<Plan>[] = [
  {
    header: 'Plan',
    role: 'title',
    cell: ({ id, name, description }) => (
      <div className={styles.name}>
        <Link to={paths.plan} params={{ id }}>
          {name}
        </Link>
        <small>{description}</small>
      </div>
    ),
  },
  { header: 'Gives', cell: planSummary },
  { header: 'Customers', cell: liveSubscribers },
  {
    header: 'State',
    cell: ({ archivedAt }) =>
      archivedAt === null ? <Pill tone="ok">Can be had</Pill> : <Pill tone="idle">Archived</Pill>,
  },
]

/** Account plans with the number of their subscribers. */
export default function PlansPage() {
  const plans = useQuery(q('GET /api/plans'))
  const may = useMay()
  const create = may('plans.manage') ? (
    <LinkButton to={paths.newPlan} kind="primary" icon={<Plus />}>
      New plan
    </LinkButton>
  ) : undefined
  return (
    <Page
      title="Plans"
      lead="Limits that go together. An invitation may bring a plan; a change reaches everybody who has it."
      actions={create}
    >
      <Card flush>
        <Loaded query={plans} lines={4}>
          {({ items }) => (
            <Table
              label="Plans"
              rows={items}
              columns={COLUMNS}
              keyOf={({ id }) => id}
              empty={
                <Empty title="No plans yet">
                  Make one, and let an invitation bring it to whoever signs up with it.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
