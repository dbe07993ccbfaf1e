import { type Figure, short, verdictOf } from './table.ts'

/**
 * What figures were on a quiet machine, by row and name. Only those that hardly waver from run to run have
 * one: ratios to a limit, memory and bytes.
 */
export type Baseline = Readonly<Record<string, number>>

/** A figure that is worse than this part of its baseline has got worse, and not only wavered. */
const TOLERANCE = 0.1

/** Figures of one row may share a name; the second of them has a number behind it. */
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

/** The baseline with what was measured now in place of what it knew; it gets no new names by that. */
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
 * A line for each figure that is worse than its baseline by more than a tenth, or has one and was not measured
 * although its row was.
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

/** All figures that miss their target, in one line. */
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
