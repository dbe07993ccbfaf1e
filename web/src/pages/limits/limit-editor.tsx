import { effective as effectiveLimit } from '@lodge/shared/limits/effective.ts'
import type { LimitKey, LimitLayer, LimitValue } from '@lodge/shared/limits/keys.ts'
import { Fragment } from 'react'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { countSet, type LimitDraft } from './limit-draft.ts'
import { LimitFold } from './limit-fold.tsx'
import { LIMIT_GROUPS, limitsOf } from './limit-groups.ts'
import { LimitInput } from './limit-input.tsx'
import type { LimitsView } from './limit-table.tsx'
import { capitalised, LIMIT_NAMES, originWords, usedWords, valueWords } from './limit-words.ts'
import styles from './limits.module.css'

type Limit = LimitsView['limits'][number]

interface LimitEditorProps {
  draft: LimitDraft
  saved: LimitDraft
  errors: Readonly<Record<string, string>>
  /** Title of the edited column. */
  column: string
  /** The effective values, for the other columns. */
  effective?: LimitsView
  disabled: boolean
  /** The id of a limit's control, for links to it. */
  idOf?: (key: LimitKey) => string
  /** A limit that a link leads to, whose group is opened. */
  wanted?: LimitKey | undefined
  onChange: (key: LimitKey, value: string) => void
}

/** One layer of limits as a form, beside the other layers and the result. */
export function LimitEditor(props: LimitEditorProps) {
  const { draft, saved, errors, column, effective, disabled, idOf, wanted, onChange } = props
  const found = new Map(effective?.limits.map((limit) => [limit.key, limit]))
  const own: Column<LimitKey> = {
    header: column,
    cell: (key) => (
      <LimitInput
        id={idOf?.(key)}
        limitKey={key}
        value={draft[key]}
        inherited={inheritedWords(found.get(key))}
        error={errors[key]}
        disabled={disabled}
        onChange={(value) => onChange(key, value)}
      />
    ),
  }
  const columns: readonly Column<LimitKey>[] = [
    {
      header: 'Limit',
      role: 'title',
      cell: (key) => <span className={styles.name}>{LIMIT_NAMES[key]}</span>,
    },
    ...(effective
      ? ([
          { header: 'Default', cell: (key) => <Part limit={found.get(key)} source="default" /> },
          { header: 'Plans', cell: (key) => <Part limit={found.get(key)} source="plan" /> },
          own,
          { header: 'In effect', cell: (key) => <InEffect limit={found.get(key)} /> },
        ] satisfies Column<LimitKey>[])
      : [own]),
  ]
  const isBare = LIMIT_GROUPS.every((group) => countSet(saved, limitsOf(group)) === 0)
  return LIMIT_GROUPS.map((group, at) => (
    <LimitFold
      key={group.title}
      title={group.title}
      keys={limitsOf(group)}
      draft={draft}
      saved={saved}
      errors={errors}
      columns={columns}
      isOpen={at === 0 && (isBare || effective !== undefined)}
      wanted={wanted}
    />
  ))
}

/** What applies while nothing is set by hand: the defaults and the plans. */
function inheritedWords(limit: Limit | undefined): string | undefined {
  if (!limit) return undefined
  const { key, origin } = limit
  const only = (value: LimitValue | undefined) => ({ [key]: value }) as LimitLayer
  const { value } = effectiveLimit(key, {
    defaults: only(origin.parts.find(({ source }) => source === 'default')?.value),
    plans: origin.parts
      .filter(({ source }) => source === 'plan')
      .map((part) => ({ plan: part.planName ?? '', limits: only(part.value) })),
    customer: {},
  })
  return valueWords(key, value)
}

function Part({ limit, source }: { limit: Limit | undefined; source: 'default' | 'plan' }) {
  const parts = limit?.origin.parts.filter((part) => part.source === source) ?? []
  if (!limit || parts.length === 0) return <Text faint>–</Text>
  return parts.map((part, index) => (
    <Fragment key={part.planName ?? part.source}>
      {index > 0 ? <br /> : null}
      <Text>{capitalised(valueWords(limit.key, part.value))}</Text>
      {part.planName === null ? null : (
        <Text small muted>
          {' '}
          {part.planName}
        </Text>
      )}
    </Fragment>
  ))
}

function InEffect({ limit }: { limit: Limit | undefined }) {
  if (!limit) return <Text faint>–</Text>
  const used = limit.used ?? 0
  return (
    <div>
      <Row gap={6}>
        <Text strong>{capitalised(valueWords(limit.key, limit.value))}</Text>
        {limit.over ? <Pill tone="err">Over the limit</Pill> : null}
      </Row>
      <Text small muted>
        {originWords(limit.key, limit.origin.parts)}
        {used === 0 ? '' : `, ${usedWords(limit.key, used)} used`}
      </Text>
    </div>
  )
}
