export type Target = { readonly atMost: number } | { readonly atLeast: number }

/** One result and its target. */
export interface Figure {
  readonly row: number
  readonly what: string
  readonly value: number
  /** Written after the value: `x` for a ratio, else a unit. */
  readonly unit: string
  readonly target?: Target
  /** Published figures of comparable software, with the source. */
  readonly peer?: string
  /** The numbers behind the value. */
  readonly detail?: Readonly<Record<string, number>>
}

export type Verdict = 'met' | 'missed' | 'told'

/** `told` without a target. */
export function verdictOf({ value, target }: Figure): Verdict {
  if (!target) return 'told'
  const met = 'atMost' in target ? value <= target.atMost : value >= target.atLeast
  return met ? 'met' : 'missed'
}

/** Measurements on a shared machine have no more than three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

const unitAfter = (unit: string): string => (unit === 'x' ? ' x' : unit === '' ? '' : ` ${unit}`)

const targetText = (target: Target | undefined): string => {
  if (!target) return ''
  return 'atMost' in target ? `<= ${short(target.atMost)}` : `>= ${short(target.atLeast)}`
}

/** The results as a table for a terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const head = ['#', 'what', 'measured', 'target', '', 'made from', 'others']
  const lines = figures.map((figure) => [
    String(figure.row),
    figure.what,
    `${short(figure.value)}${unitAfter(figure.unit)}`,
    targetText(figure.target),
    verdictOf(figure),
    Object.entries(figure.detail ?? {})
      .map(([name, value]) => `${name} ${short(value)}`)
      .join(', '),
    figure.peer ?? '',
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => (line[column] ?? '').length)),
  )
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
