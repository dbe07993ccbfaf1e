import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { Fragment } from 'react'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { LimitDraft } from './limit-draft.ts'
import { LIMIT_GROUPS, limitsOf } from './limit-groups.ts'
import { LimitInput } from './limit-input.tsx'
import type { LimitsView } from './limit-table.tsx'
import { LIMIT_NAMES, usedWords, valueWords } from './limit-words.ts'

type Limit = LimitsView['limits'][number]

interface LimitEditorProps {
  draft: LimitDraft
  errors: Readonly<Record<string, string>>
  /** Title of the edited column. */
  column: string
  /** The effective values, for the other columns. */
  effective?: LimitsView
  disabled: boolean
  /** The id of a limit's control, for links to it. */
  idOf?: (key: LimitKey) => string
  onChange: (key: LimitKey, value: string) => void
}

/** One layer of limits as a form, beside the other layers and the result. */
export function LimitEditor(props: LimitEditorProps) {
  const { draft, errors, column, effective, disabled, idOf, onChange } = props
  const found = new Map(effective?.limits.map((limit) => [limit.key, limit]))
  const own: Column<LimitKey> = {
    header: column,
    cell: (key) => (
      <div style={{ width: 190, maxWidth: '100%' }}>
        <LimitInput
          id={idOf?.(key)}
          limitKey={key}
          value={draft[key]}
          error={errors[key] ?? errors[`quota/${key}`]}
          disabled={disabled}
          onChange={(value) => onChange(key, value)}
        />
      </div>
    ),
  }
  const columns: readonly Column<LimitKey>[] = [
    {
      header: 'Limit',
      role: 'title',
      cell: (key) => <Text strong>{LIMIT_NAMES[key]}</Text>,
    },
    ...(effective
      ? ([
          { header: 'Default', cell: (key) => <Part limit={found.get(key)} source="default" /> },
          { header: 'Plans', cell: (key) => <Part limit={found.get(key)} source="plan" /> },
          own,
          { header: 'Holds', cell: (key) => <Holds limit={found.get(key)} /> },
        ] satisfies Column<LimitKey>[])
      : [own]),
  ]
  return LIMIT_GROUPS.map((group) => (
    <Card key={group.title} title={group.title} flush>
      <Table
        label={group.title}
        rows={limitsOf(group)}
        columns={columns}
        keyOf={(key) => key}
        even
        empty={null}
      />
    </Card>
  ))
}

function Part({ limit, source }: { limit: Limit | undefined; source: 'default' | 'plan' }) {
  const parts = limit?.origin.parts.filter((part) => part.source === source) ?? []
  if (!limit || parts.length === 0) return <Text faint>–</Text>
  return parts.map((part, index) => (
    <Fragment key={part.planName ?? part.source}>
      {index > 0 ? <br /> : null}
      <Text>{valueWords(limit.key, part.value)}</Text>
      {part.planName === null ? null : (
        <Text small muted>
          {' '}
          {part.planName}
        </Text>
      )}
    </Fragment>
  ))
}

function Holds({ limit }: { limit: Limit | undefined }) {
  if (!limit) return <Text faint>–</Text>
  return (
    <div>
      <Text strong>{valueWords(limit.key, limit.value)}</Text>{' '}
      <Text small muted>
        {limit.origin.label}
        {(limit.used ?? 0) === 0 ? '' : `, ${usedWords(limit.key, limit.used ?? 0)} used`}
      </Text>{' '}
      {limit.over ? <Pill tone="err">Over the limit</Pill> : null}
    </div>
  )
}
