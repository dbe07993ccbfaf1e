import { formatBytes, numberText } from '../data/numbers.ts'
import { t } from './words.ts'

/** What the figures of a chart are measured in. */
export type ChartUnit = 'percent' | 'bytes' | 'bytesPerSecond'

/** The name of a unit in a column header. */
export function unitName(unit: ChartUnit): string {
  if (unit === 'percent') return '%'
  return unit === 'bytes' ? t.bytes : t.bytesPerSecond
}

const percentText = (value: number): string =>
  `${numberText(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))}%`
const bytesText = (value: number): string =>
  formatBytes(Math.abs(value) < 1024 ? Math.round(value) : value)

/** A figure with its unit: `37%`, `412 MiB`, `1.2 KiB/s`. */
export function figureText(unit: ChartUnit, value: number): string {
  if (unit === 'percent') return percentText(value)
  return unit === 'bytes' ? bytesText(value) : `${bytesText(value)}/s`
}

/** How much of a limit a figure is: `20% of the limit`. */
export const shareText = (
  value: number,
  limit: number,
  kind: 'limit' | 'total' = 'limit',
): string => t.shareOfLimit({ share: percentText((value / limit) * 100), kind })

export interface ValueScale {
  readonly top: number
  readonly ticks: readonly number[]
}

const MOST_STEPS = 4
/** Room above the highest value, and for the label above the line of the limit. */
const ABOVE_LIMIT = 1.18
const ABOVE_PEAK = 1.06
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const
/** The height of an axis while everything is zero. */
const LEAST: Readonly<Record<ChartUnit, number>> = {
  percent: 4,
  bytes: 4096,
  bytesPerSecond: 4096,
}

/** The smallest round step that reaches the height in few enough steps. */
function roundStep(unit: ChartUnit, height: number): number {
  const factors = unit === 'percent' ? [1, 1000, 1e6] : [1, 2 ** 10, 2 ** 20, 2 ** 30, 2 ** 40]
  const steps = factors.flatMap((factor) => ROUND.map((step) => step * factor))
  return steps.find((step) => height / step <= MOST_STEPS) ?? height
}

/** Whether the text of a value is exact. */
function isExact(unit: ChartUnit, value: number): boolean {
  if (unit === 'percent') return Number.isInteger(value < 10 ? value * 10 : value)
  let rest = value
  while (rest >= 1024) rest /= 1024
  return Number.isInteger(value < 1024 ? rest : rest * 10)
}

const partsOf = (limit: number, parts: number): readonly number[] =>
  Array.from({ length: parts + 1 }, (_, part) => (limit / parts) * part)

/**
 * The value axis: from zero to above the peak, and up to the limit if there is one, so that a line
 * shows its share of the limit. Its ticks are round numbers, or even parts of the limit.
 */
export function valueScale(unit: ChartUnit, peak: number, limit: number | undefined): ValueScale {
  if (limit !== undefined && limit > 0 && peak <= limit * 1.1) {
    const even = [4, 2].map((parts) => partsOf(limit, parts))
    const exact = even.find((marks) => marks.every((mark) => isExact(unit, mark)))
    const step = roundStep(unit, limit)
    const round = Array.from({ length: Math.floor(limit / step) + 1 }, (_, index) => index * step)
    return { top: limit * ABOVE_LIMIT, ticks: exact ?? round }
  }
  const least = Math.max(peak * ABOVE_PEAK, limit ?? 0, LEAST[unit])
  const step = roundStep(unit, least)
  const count = Math.ceil(least / step)
  return {
    top: count * step * (limit === undefined ? 1 : ABOVE_PEAK),
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  }
}
