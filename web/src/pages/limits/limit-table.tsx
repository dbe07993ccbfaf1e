import { isOffered } from '@lodge/shared/later.ts'
import type { Reply } from '../../api.ts'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { LIMIT_NAMES, usedWords, valueWords } from './limit-words.ts'

export type LimitsView = Reply<'GET /api/limits/me'>
type Limit = LimitsView['limits'][number]

interface LimitTableProps {
  view: LimitsView
  types: readonly Limit['type'][]
}

/** Effective limits with their use and origin. */
export function LimitTable({ view, types }: LimitTableProps) {
  const rows = view.limits.filter((limit) => types.includes(limit.type) && isOffered(limit.key))
  const columns: readonly Column<Limit>[] = [
    {
      header: 'Limit',
      role: 'title',
      cell: (limit) => (
        <Row gap={6}>
          <Text strong>{LIMIT_NAMES[limit.key]}</Text>
          {limit.over ? <Pill tone="err">Over the limit</Pill> : null}
        </Row>
      ),
    },
    { header: 'Value', cell: (limit) => <Value limit={limit} /> },
    { header: 'From', cell: (limit) => <Origin limit={limit} /> },
  ]
  return (
    <Table
      label="Effective limits"
      rows={rows}
      columns={columns}
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
        {words}
        {used !== null && used > 0 ? `, ${usedWords(key, used)} used` : ''}
      </Text>
    )
  }
  return (
    <div style={{ flex: 1, minWidth: 150, maxWidth: 260 }}>
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

/** The layers that were combined: the defaults, plans, the host by hand. */
function Origin({ limit }: { limit: Limit }) {
  const { parts, label } = limit.origin
  if (parts.length < 2) return <Text muted>{label}</Text>
  return (
    <Stack gap={2}>
      <Text muted>{label}</Text>
      <Text small faint>
        {parts
          .map(
            (part) =>
              `${part.planName ?? SOURCES[part.source]}: ${valueWords(limit.key, part.value)}`,
          )
          .join(' · ')}
      </Text>
    </Stack>
  )
}

const SOURCES = { default: 'default', plan: 'plan', customer: 'by hand' } as const
