import { ALL_LIMIT_KEYS } from '@lodge/shared/limits/keys.ts'
import type { Plan } from '@lodge/shared/plans.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data/column.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import type { RowTools } from '../../ui/lists/short-list.tsx'
import { Row } from '../../ui/page/layout.tsx'
import styles from '../servers/servers.module.css'
import { liveSubscribers, planSummary } from './plan-words.ts'
import { pricesSummary } from './price-words.ts'
import { t } from './words.ts'

/** Every column that the list of plans offers. */
export const planColumns = (): readonly Column<Plan>[] => [
  {
    id: 'plan',
    header: t.plan,
    role: 'title',
    sort: 'name',
    cell: ({ id, name, description, archivedAt, active, available, visibility }) => (
      <div className={styles.name}>
        <Row gap={6}>
          <Link to={paths.plan} params={{ id }} data-opens>
            {name}
          </Link>
          {archivedAt === null ? null : <Pill tone="idle">{t.archived}</Pill>}
          {archivedAt === null && !active ? <Pill tone="idle">{t.notSold}</Pill> : null}
          {archivedAt === null && active && available === 0 ? (
            <Pill tone="warn">{t.soldOut}</Pill>
          ) : null}
          {archivedAt === null && active && visibility === 'unlisted' ? (
            <Pill tone="idle">{t.unlisted}</Pill>
          ) : null}
          {archivedAt === null && active && visibility === 'customers' ? (
            <Pill tone="idle">{t.customersOnly}</Pill>
          ) : null}
        </Row>
        <small>{description}</small>
      </div>
    ),
  },
  { id: 'limits', header: t.gives, cell: planSummary },
  { id: 'prices', header: t.prices, cell: ({ prices }) => pricesSummary(prices) },
  {
    id: 'left',
    header: t.left,
    right: true,
    tight: true,
    optional: true,
    cell: ({ available }) => available ?? t.unlimited,
  },
  {
    id: 'customers',
    header: t.customers,
    sort: 'customers',
    highestFirst: true,
    right: true,
    tight: true,
    cell: liveSubscribers,
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
]

const stateOf = ({ archivedAt }: Plan): string => (archivedAt === null ? 'available' : 'archived')

/** How plans are filtered, sorted and exported. */
export const planTools = (): RowTools<Plan> => ({
  fields: [
    {
      name: 'state',
      label: t.state,
      chips: true,
      values: [
        { value: 'available', label: t.available },
        { value: 'archived', label: t.archived },
      ],
      of: stateOf,
    },
    { name: 'name', label: t.name, example: 'name:start*', of: ({ name }) => name },
  ],
  textOf: ({ name, description }) => `${name}\n${description}`,
  sortKeys: {
    name: ({ name }) => name,
    customers: liveSubscribers,
    created: ({ createdAt }) => createdAt,
  },
  csv: [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['description', ({ description }) => description],
    ['state', stateOf],
    ['customers', liveSubscribers],
    ['created_at', ({ createdAt }) => createdAt],
    ...ALL_LIMIT_KEYS.map(
      (key) => [key, ({ limits }: Plan) => limits[key]?.toString() ?? null] as const,
    ),
  ],
})
