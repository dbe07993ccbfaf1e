/**
 * Declared English texts with their translations. A name in braces stands for a value, which is put
 * in the translation as it is. A text that begins with a comma may follow any other.
 */
export type Phrases = Readonly<Record<string, string>>

const VALUE = /\{(\w+)\}/

/** Translates the texts of a phrasebook; what it does not know stays as it is. */
export function phrasebook(phrases: Phrases): (text: string) => string {
  const keys = Object.keys(phrases)
  const additions = keys.filter((key) => key.startsWith(','))
  // `deleted a backup of {server}` is nearer to its text than `deleted {server}`.
  const patterns = keys
    .filter((key) => VALUE.test(key))
    .sort((one, other) => fixedLength(other) - fixedLength(one))
    .map((key) => ({ pattern: patternOf(key), translation: phrases[key] ?? key }))
  const say = (text: string): string => {
    const whole = Object.hasOwn(phrases, text) ? phrases[text] : undefined
    if (whole !== undefined) return whole
    const addition = additions.find((one) => text.endsWith(one))
    if (addition !== undefined) return `${say(text.slice(0, -addition.length))}${phrases[addition]}`
    for (const { pattern, translation } of patterns) {
      const values = pattern.exec(text)?.groups
      if (values)
        return translation.replaceAll(new RegExp(VALUE, 'g'), (_, name) => values[name] ?? '')
    }
    return text
  }
  return say
}

const fixedLength = (key: string): number => key.replaceAll(new RegExp(VALUE, 'g'), '').length

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Matches the texts of a phrase with any values, also of several lines. */
const patternOf = (key: string): RegExp =>
  new RegExp(
    `^${key
      .split(VALUE)
      .map((part, at) => (at % 2 === 0 ? escaped(part) : `(?<${part}>.+)`))
      .join('')}$`,
    's',
  )
