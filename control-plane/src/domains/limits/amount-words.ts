import { type NumberKey, unitOf } from '@lodge/shared/limits/keys.ts'
import { formatCpu, MIB_UNITS } from '@lodge/shared/units.ts'
import type { Reader } from '../../moment-text.ts'
import { wordsFor } from '../../said-in.ts'
import { t } from './words.ts'

/** The parts of `You use <used> of <value> <kind>`, as people read them. */
interface AmountWords {
  readonly used: string
  readonly value: string
  readonly kind: string
}

/**
 * The usage of a limit, in the largest unit in which both numbers are whole: `6 of 8 GiB of memory`,
 * `150% of 200% CPU`, `8 of 10 servers`. For people only: the API and its refusals use fixed units.
 */
export function amountWords(
  key: NumberKey,
  used: number,
  value: number,
  reader: Pick<Reader, 'language'>,
): AmountWords {
  const kindIn = (unit: string) => wordsFor(t, reader).kind({ key, unit })
  if (unitOf(key) === 'count') return { used: String(used), value: String(value), kind: kindIn('') }
  if (unitOf(key) === 'cpu')
    return { used: formatCpu(used), value: formatCpu(value), kind: kindIn('') }
  const isWhole = (factor: number) => used % factor === 0 && value % factor === 0
  const [factor, unit] = MIB_UNITS.find(([factor]) => isWhole(factor) && used + value > 0) ?? [
    1,
    'MiB',
  ]
  return {
    used: String(used / factor),
    value: String(value / factor),
    kind: kindIn(unit),
  }
}

/** All of it: `6 of 8 GiB of memory`. */
export const amountOf = (
  key: NumberKey,
  used: number,
  value: number,
  reader: Pick<Reader, 'language'>,
): string => wordsFor(t, reader).amount({ ...amountWords(key, used, value, reader) })
