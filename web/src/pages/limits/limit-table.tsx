import { isOffered } from '@lodge/shared/later.ts'
import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { capitalised, limitName, originWords, usedWords, valueWords } from './limit-words.ts'
import styles from './limits.module.css'
import { t } from './words.ts'

export type LimitsView = Reply<'GET /api/limits/me'>
type Limit = LimitsView['limits'][number]

interface LimitTableProps {
  view: LimitsView
  types: readonly Limit['type'][]
}

const columns = (): readonly Column<Limit>[] => [
  {
    header: t.limit,
    role: 'title',
    cell: (limit) => (
      <Row gap={6}>
        <span className={styles.name}>{limitName(limit.key)}</span>
        {limit.over ? <Pill tone="err">{t.overLimit}</Pill> : null}
      </Row>
    ),
  },
  { header: t.value, cell: (limit) => <Value limit={limit} /> },
  {
    header: t.from,
    cell: ({ key, origin }) => <Text muted>{originWords(key, origin.parts)}</Text>,
  },
]

/** Effective limits with their use and origin. */
export function LimitTable({ view, types }: LimitTableProps) {
  return (
    <Table
      label={t.effectiveLimits}
      rows={view.limits.filter((limit) => types.includes(limit.type) && isOffered(limit.key))}
      columns={columns()}
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
        {used !== null && used > 0
          ? t.used({ value: capitalised(words), used: usedWords(key, used) })
          : capitalised(words)}
      </Text>
    )
  }
  return (
    <div className={styles.bar}>
      <Meter
        label={limitName(key)}
        value={used}
        of={value}
        text={t.usedOf({ used: usedWords(key, used), value: words })}
        words
      />
    </div>
  )
}
