import { effective as effectiveLimit } from '@lodge/shared/limits/effective.ts'
import type { LimitKey, LimitLayer, LimitValue } from '@lodge/shared/limits/keys.ts'
import { Fragment } from 'react'
import { Pill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { countSet, type LimitDraft } from './limit-draft.ts'
import { LimitFold } from './limit-fold.tsx'
import { LIMIT_GROUPS, limitsOf } from './limit-groups.ts'
import { LimitInput } from './limit-input.tsx'
import type { LimitsView } from './limit-table.tsx'
import { capitalised, limitName, originWords, usedWords, valueWords } from './limit-words.ts'
import styles from './limits.module.css'
import { t } from './words.ts'

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
  /** The limit that a link points to, whose group is opened. */
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
      header: t.limit,
      role: 'title',
      cell: (key) => <span className={styles.name}>{limitName(key)}</span>,
    },
    ...(effective
      ? ([
          { header: t.default, cell: (key) => <Part limit={found.get(key)} source="default" /> },
          { header: t.plans, cell: (key) => <Part limit={found.get(key)} source="plan" /> },
          own,
          { header: t.inEffect, cell: (key) => <InEffect limit={found.get(key)} /> },
        ] satisfies Column<LimitKey>[])
      : [own]),
  ]
  const isBare = LIMIT_GROUPS.every((group) => countSet(saved, limitsOf(group)) === 0)
  return LIMIT_GROUPS.map((group, at) => (
    <LimitFold
      key={group.type}
      title={group.title()}
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
      <PartValue words={capitalised(valueWords(limit.key, part.value))} plan={part.planName} />
    </Fragment>
  ))
}

function PartValue({ words, plan: name }: { words: string; plan: string | null }) {
  if (name === null) return <Text>{words}</Text>
  const plan = (text: string) => (
    <Text small muted>
      {text}
    </Text>
  )
  return <Text>{rich(t.fromPlan({ value: words, name, plan }))}</Text>
}

function InEffect({ limit }: { limit: Limit | undefined }) {
  if (!limit) return <Text faint>–</Text>
  const used = limit.used ?? 0
  const origin = originWords(limit.key, limit.origin.parts)
  return (
    <div>
      <Row gap={6}>
        <Text strong>{capitalised(valueWords(limit.key, limit.value))}</Text>
        {limit.over ? <Pill tone="err">{t.overLimit}</Pill> : null}
      </Row>
      <Text small muted>
        {used === 0 ? origin : t.used({ value: origin, used: usedWords(limit.key, used) })}
      </Text>
    </div>
  )
}
