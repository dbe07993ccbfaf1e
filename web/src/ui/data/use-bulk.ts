import { useState } from 'react'
import type { Outcome } from './bulk-bar.tsx'
import { runForAll } from './run-for-all.ts'

interface Run<A> {
  readonly action: A
  readonly outcomes: readonly Outcome[]
}

interface Bulk<A> {
  /** The last action, with the result for each row. */
  readonly last: Run<A> | undefined
  /** Progress of the running action. */
  readonly busy: { readonly done: number; readonly of: number } | undefined
  run(action: A): Promise<readonly Outcome[]>
  /** Repeats the last action for the rows that it was refused for. */
  retry(): void
}

/**
 * Actions on selected rows, one call for each.
 * @param ask performs the action on one row; a refusal is a result, not an error
 * @param afterwards runs when all are finished
 */
export function useBulk<T extends { readonly id: string }, A>(
  rows: readonly T[],
  ask: (row: T, action: A) => Promise<Outcome>,
  afterwards: () => Promise<unknown>,
): Bulk<A> {
  const [last, setLast] = useState<Run<A>>()
  const [busy, setBusy] = useState<Bulk<A>['busy']>()
  const runOn = async (action: A, on: readonly T[]): Promise<readonly Outcome[]> => {
    const of = on.length
    setBusy({ done: 0, of })
    const outcomes = await runForAll(
      on,
      (row) => ask(row, action),
      (done) => setBusy({ done, of }),
    )
    setLast({ action, outcomes })
    setBusy(undefined)
    await afterwards()
    return outcomes
  }
  return {
    last,
    busy,
    run: (action) => runOn(action, rows),
    retry: () => {
      if (!last) return
      const refused = new Set(
        last.outcomes.flatMap(({ id, refusal }) => (refusal === undefined ? [] : [id])),
      )
      void runOn(
        last.action,
        rows.filter(({ id }) => refused.has(id)),
      )
    },
  }
}
