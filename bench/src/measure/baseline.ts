import { type Figure, short, verdictOf } from './table.ts'

/**
 * Results on a quiet machine, by row and name. Only those that hardly vary between runs have one:
 * ratios to a limit, memory and bytes.
 */
export type Baseline = Readonly<Record<string, number>>

/** Results that are worse by more than this fraction are regressions, not noise. */
const TOLERANCE = 0.1

/** Results of one row may share a name; the second gets a number. */
export function namedFigures(figures: readonly Figure[]): ReadonlyMap<string, Figure> {
  const named = new Map<string, Figure>()
  for (const figure of figures) {
    const name = `${figure.row} ${figure.what}`
    let count = 1
    while (named.has(count === 1 ? name : `${name} (${count})`)) count += 1
    named.set(count === 1 ? name : `${name} (${count})`, figure)
  }
  return named
}

/** The baseline with current results in place of the old ones; adds no new names. */
export function renewed(baseline: Baseline, figures: readonly Figure[]): Baseline {
  const named = namedFigures(figures)
  return Object.fromEntries(
    Object.entries(baseline).map(([name, before]) => {
      const figure = named.get(name)
      return [name, figure ? Number(figure.value.toPrecision(3)) : before]
    }),
  )
}

/**
 * A line for each result that is worse than its baseline by more than a tenth, or is missing
 * although its row ran.
 */
export function regressions(figures: readonly Figure[], baseline: Baseline): string[] {
  const named = namedFigures(figures)
  const rows = new Set(figures.map(({ row }) => String(row)))
  return Object.entries(baseline).flatMap(([name, before]) => {
    const figure = named.get(name)
    if (!figure) return rows.has(name.split(' ')[0] ?? '') ? [`${name}: not measured`] : []
    const { value, target } = figure
    const room = Math.abs(before) * TOLERANCE
    const isWorse = target && 'atLeast' in target ? value < before - room : value > before + room
    return isWorse ? [`${name}: ${short(value)}, was ${short(before)}`] : []
  })
}

/** All results that miss their target, in one line. */
export function missesOf(figures: readonly Figure[]): string {
  const judged = figures.filter(({ target }) => target)
  const missed = [...namedFigures(figures)]
    .filter(([, figure]) => verdictOf(figure) === 'missed')
    .map(([name, { value, unit, target }]) => {
      const wanted = target && ('atMost' in target ? target.atMost : target.atLeast)
      return `${name} ${short(value)}${unit ? ` ${unit}` : ''} (${short(wanted ?? 0)})`
    })
  return `missed ${missed.length} of ${judged.length} targets${missed.length ? `: ${missed.join('; ')}` : ''}`
}
