import { isOffered } from '@lodge/shared/later.ts'
import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { capitalised, LIMIT_NAMES, originWords, usedWords, valueWords } from './limit-words.ts'
import styles from './limits.module.css'

export type LimitsView = Reply<'GET /api/limits/me'>
type Limit = LimitsView['limits'][number]

interface LimitTableProps {
  view: LimitsView
  types: readonly Limit['type'][]
}

const COLUMNS: readonly Column<Limit>[] = [
  {
    header: 'Limit',
    role: 'title',
    cell: (limit) => (
      <Row gap={6}>
        <span className={styles.name}>{LIMIT_NAMES[limit.key]}</span>
        {limit.over ? <Pill tone="err">Over the limit</Pill> : null}
      </Row>
    ),
  },
  { header: 'Value', cell: (limit) => <Value limit={limit} /> },
  {
    header: 'From',
    cell: ({ key, origin }) => <Text muted>{originWords(key, origin.parts)}</Text>,
  },
]

/** Effective limits with their use and origin. */
export function LimitTable({ view, types }: LimitTableProps) {
  return (
    <Table
      label="Effective limits"
      rows={view.limits.filter((limit) => types.includes(limit.type) && isOffered(limit.key))}
      columns={COLUMNS}
      keyOf={(limit) => limit.key}
      even
      empty={null}
    />
  )
}

function Value({ limit }: { limit: Limit }) {
  const { key, value, used } = limit
  const words = valueWords(key, value)
  if (typeof value !== 'number' || used === null) {
    return (
      <Text muted={value === 'unlimited'}>
        {capitalised(words)}
        {used !== null && used > 0 ? `, ${usedWords(key, used)} used` : ''}
      </Text>
    )
  }
  return (
    <div className={styles.bar}>
      <Meter
        label={LIMIT_NAMES[key]}
        value={used}
        of={value}
        text={`${usedWords(key, used)} of ${words}`}
        words
      />
    </div>
  )
}
