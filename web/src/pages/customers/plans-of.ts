import type { LimitsView } from '../limits/limit-table.tsx'

/** The names of the plans that give a customer any of their limits. */
export function plansOf({ limits }: Pick<LimitsView, 'limits'>): readonly string[] {
  const names = limits.flatMap(({ origin }) =>
    origin.parts.flatMap(({ planName }) => (planName === null ? [] : [planName])),
  )
  return [...new Set(names)].toSorted()
}
