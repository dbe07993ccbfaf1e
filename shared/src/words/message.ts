/**
 * A message after parsing: text without arguments, or whether it contains rich text (1) and its
 * parts. Plain data, so that the panel's build can write it into the bundle.
 */
export type Compiled = string | readonly [rich: 0 | 1, ...parts: readonly Part[]]
export type Part =
  | string
  /** `#` in a plural. */
  | typeof POUND
  | readonly [name: string, kind?: undefined]
  | readonly [name: string, kind: typeof PLURAL | typeof ORDINAL | typeof SELECT, options: Options]
  | readonly [name: string, kind: typeof TAG, inside: readonly Part[]]
  | readonly [name: string, kind: typeof NUMBER, style: Intl.NumberFormatOptions]
  | readonly [name: string, kind: typeof DATE, style: Intl.DateTimeFormatOptions]
type Options = Readonly<Record<string, readonly Part[]>>

export const POUND = 0
export const PLURAL = 1
export const ORDINAL = 2
export const SELECT = 3
export const TAG = 4
export const NUMBER = 5
export const DATE = 6

/** What is put into a message: values by name, and for tags functions of the text inside them. */
export type Values = Readonly<Record<string, unknown>>
type Around = (inside: string) => unknown

/** The parts of a message as people read it in `language`; all are strings unless it has tags. */
export function partsOf(message: Compiled, values: Values, language: string): readonly unknown[] {
  return typeof message === 'string'
    ? [message]
    : (message.slice(1) as Part[]).flatMap((part) => spoken(part, values, language, undefined))
}

function spoken(
  part: Part,
  values: Values,
  language: string,
  count: number | undefined,
): readonly unknown[] {
  if (typeof part === 'string') return [part]
  if (part === POUND) return [numberIn(language, {}).format(count ?? 0)]
  const value = values[part[0]]
  const all = (parts: readonly Part[], plural = count) =>
    parts.flatMap((inner) => spoken(inner, values, language, plural))
  switch (part[1]) {
    case undefined:
      return [String(value)]
    case SELECT:
      return all(part[2][String(value)] ?? part[2].other ?? [])
    case TAG:
      return [(value as Around)(all(part[2]).join(''))]
    case NUMBER:
      return [numberIn(language, part[2]).format(Number(value))]
    case DATE:
      return [new Intl.DateTimeFormat(language, part[2]).format(new Date(value as number))]
    default: {
      const [, kind, options] = part
      const type = kind === ORDINAL ? 'ordinal' : 'cardinal'
      const rule = new Intl.PluralRules(language, { type }).select(Number(value))
      return all(options[`=${value}`] ?? options[rule] ?? options.other ?? [], Number(value))
    }
  }
}

const numberIn = (language: string, style: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(language, style)
