import { LIMIT_KEYS, type NumberKey, unitOf } from '@lodge/shared/limits/keys.ts'
import { formatCpu, MIB_UNITS } from '@lodge/shared/units.ts'

/** The parts of `You use <used> of <value> <kind>`, as people read them. */
interface AmountWords {
  readonly used: string
  readonly value: string
  readonly kind: string
}

/**
 * What is used of a limit, in the largest unit in which both are whole: `6 of 8 GiB of memory`,
 * `150% of 200% CPU`, `8 of 10 servers`. The API and its refusals name the units otherwise.
 */
export function amountWords(key: NumberKey, used: number, value: number): AmountWords {
  const { kind } = LIMIT_KEYS[key]
  if (unitOf(key) === 'count') return { used: String(used), value: String(value), kind }
  const what = kind.replace(/^(MiB|percent) of /, '')
  if (unitOf(key) === 'cpu') return { used: formatCpu(used), value: formatCpu(value), kind: what }
  const isWhole = (factor: number) => used % factor === 0 && value % factor === 0
  const [factor, unit] = MIB_UNITS.find(([factor]) => isWhole(factor) && used + value > 0) ?? [
    1,
    'MiB',
  ]
  return {
    used: String(used / factor),
    value: String(value / factor),
    kind: `${unit} of ${what}`,
  }
}

/** All of it: `6 of 8 GiB of memory`. */
export const amountOf = (key: NumberKey, used: number, value: number): string =>
  amountIn(amountWords(key, used, value))

export const amountIn = ({ used, value, kind }: AmountWords): string =>
  `${used} of ${value} ${kind}`
