import { readFileSync } from 'node:fs'

/** Seconds on two quiet cores: for a whole part, a folder or a test file. */
interface Budgets {
  /** Wall time of each project of `vitest.config.ts`. */
  readonly parts: Readonly<Record<string, number>>
  /** Test time by path prefix; a file counts for each entry that contains it. */
  readonly paths: Readonly<Record<string, number>>
}

export const BUDGETS: Budgets = JSON.parse(
  readFileSync(new URL('../budgets.json', import.meta.url), 'utf8'),
)

/** The budget of a file; undefined for the many short ones. */
export const budgetOf = (file: string): number | undefined => BUDGETS.paths[file]

/** What exceeded its budget, each as a phrase. */
export function exceeded(taken: {
  readonly parts: ReadonlyMap<string, number>
  readonly files: ReadonlyMap<string, number>
}): string[] {
  const parts = Object.entries(BUDGETS.parts).map(
    ([name, budget]) => [`all of ${name}`, budget, taken.parts.get(name) ?? 0] as const,
  )
  const paths = Object.entries(BUDGETS.paths).map(([beginning, budget]) => {
    const files = [...taken.files].filter(([file]) => isWithin(file, beginning))
    return [beginning, budget, files.reduce((sum, [, seconds]) => sum + seconds, 0)] as const
  })
  return [...parts, ...paths]
    .filter(([, budget, seconds]) => seconds > budget)
    .map(([name, budget, seconds]) => `${name} ${Math.round(seconds)} s (${budget} s)`)
}

const isWithin = (file: string, beginning: string): boolean =>
  file === beginning || file.startsWith(`${beginning}/`)
