import type { ReactNode } from 'react'
import { Button } from '../buttons/button.tsx'
import { Row, Text } from '../page/layout.tsx'
import styles from './bulk-bar.module.css'
import { t } from './words.ts'

/** The result for one of several things; `refusal` says why it failed. */
export interface Outcome {
  readonly id: string
  readonly name: string
  readonly refusal: string | undefined
}

/** Totals of a bulk action. */
export interface OutcomeCounts {
  readonly went: number
  readonly of: number
  readonly refused: number
}

interface BulkBarProps {
  /** Name of the bar, such as `Selected servers`. */
  label: string
  /** Such as `3 servers selected`. */
  selected: string
  /** Results of the last action, successful and refused. */
  outcomes?: readonly Outcome[] | undefined
  /** A summary of the results, such as `2 of 3 starting, 1 refused`. */
  outcome?: ((counts: OutcomeCounts) => string) | undefined
  /** Progress of the running action. */
  busy?: { readonly done: number; readonly of: number } | undefined
  /** Repeats the action for the rows that it was refused for. */
  onRetry: () => void
  onClear: () => void
  /** The actions. */
  children: ReactNode
}

/** The bar below a list with selected rows: actions for all of them, and the result for each. */
export function BulkBar(props: BulkBarProps) {
  const { label, selected, outcomes, outcome, busy, onRetry, onClear, children } = props
  const refused = outcomes?.filter(({ refusal }) => refusal !== undefined) ?? []
  const went = (outcomes?.length ?? 0) - refused.length
  return (
    <section className={styles.bar} aria-label={label}>
      <Row between>
        <Text strong>{selected}</Text>
        <Row gap={6}>
          {children}
          <Button size="small" kind="quiet" onClick={onClear}>
            {t.clearSelection}
          </Button>
        </Row>
      </Row>
      <div role="status">
        {busy ? t.progress(busy) : null}
        {!busy && outcomes ? (
          <Row between>
            <span>{outcome?.({ went, of: outcomes.length, refused: refused.length })}</span>
            {refused.length > 0 ? (
              <Button size="small" onClick={onRetry}>
                {t.retry({ count: refused.length })}
              </Button>
            ) : null}
          </Row>
        ) : null}
      </div>
      {!busy && refused.length > 0 ? (
        <ul className={styles.refused}>
          {refused.map(({ id, name, refusal }) => (
            <li key={id}>
              <b>{name}</b> {refusal}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
