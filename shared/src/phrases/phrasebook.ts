/**
 * Declared English texts with their translations. A name in braces stands for a value, which is put
 * in the translation as it is. A text that begins with a comma may follow any other.
 */
export type Phrases = Readonly<Record<string, string>>

export type Say = (text: string) => string

/** What people read of a problem. */
export interface SaidProblem {
  readonly detail: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] | undefined
}

/** Says a reason, or a problem with its reason and what is wrong with each field. */
export interface SayReason {
  (text: string): string
  <P extends SaidProblem>(problem: P): P
}

/** What a language has for texts of the server. */
export interface Phrasebooks {
  readonly say: Say
  /** For why something was refused or is not possible, and what is wrong with a value. */
  readonly sayReason: SayReason
}

const VALUE = /\{(\w+)\}/
/** Lists say the same texts again and again, and each is compared with hundreds of patterns. */
const MOST_KNOWN = 2000

/**
 * Translates the texts of a phrasebook; what it does not know stays as it is.
 *
 * @param sayValue for the values in them, which are names of people's own unless it knows them
 */
export function phrasebook(phrases: Phrases, sayValue: Say = (value) => value): Say {
  const keys = Object.keys(phrases)
  const additions = keys.filter((key) => key.startsWith(','))
  // `deleted a backup of {server}` is nearer to its text than `deleted {server}`.
  const patterns = keys
    .filter((key) => VALUE.test(key))
    .sort((one, other) => fixedLength(other) - fixedLength(one))
    .map((key) => ({ pattern: patternOf(key), translation: phrases[key] ?? key }))
  const known = new Map<string, string>()
  const say: Say = (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size > MOST_KNOWN) known.clear()
    const found = find(text)
    known.set(text, found)
    return found
  }
  const find: Say = (text) => {
    const whole = Object.hasOwn(phrases, text) ? phrases[text] : undefined
    if (whole !== undefined) return whole
    const addition = additions.find((one) => text.endsWith(one))
    if (addition !== undefined) return `${say(text.slice(0, -addition.length))}${phrases[addition]}`
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(text)?.groups
      if (values)
        return translation.replaceAll(new RegExp(VALUE, 'g'), (_, name) =>
          sayValue(values[name] ?? ''),
        )
    }
    return text
  }
  return say
}

const fixedLength = (key: string): number => key.replaceAll(new RegExp(VALUE, 'g'), '').length

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Matches the texts of a phrase with any values, also of several lines. A value before a colon ends at the first
 * one: what follows may have others.
 */
const patternOf = (key: string): RegExp =>
  new RegExp(
    `^${key
      .split(VALUE)
      .map((part, at, parts) => {
        if (at % 2 === 0) return escaped(part)
        return parts[at + 1]?.startsWith(': ') ? `(?<${part}>.+?)` : `(?<${part}>.+)`
      })
      .join('')}$`,
    's',
  )
