/**
 * The language of a list's filter box: `state:running,crashed node:"rack 2" web`. Words are separated
 * by spaces and all apply; values separated by commas are alternatives. Quotes take what they enclose
 * as it is, `\"` and `\\` inside them are a quote and a backslash. A word with an unknown name before
 * its colon, such as `12:30`, is plain text.
 */

/** One word of a filter: values of a field, or text to search for. */
export interface FilterTerm {
  /** Null for text. */
  readonly field: string | null
  /** At least one. Text has exactly one. */
  readonly values: readonly string[]
}

/** The longest filter that a list takes, in characters. */
export const FILTER_MAX = 500

interface Sign {
  readonly char: string
  /** A quoted colon or comma separates nothing. */
  readonly quoted: boolean
}

/** The words of a text. A quote that nobody closed reaches to the end. */
function wordsOf(text: string): Sign[][] {
  const words: Sign[][] = []
  let word: Sign[] | undefined
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    let char = text.charAt(at)
    if (!quoted && /\s/.test(char)) {
      word = undefined
      continue
    }
    if (!word) {
      word = []
      words.push(word)
    }
    if (char === '"') {
      quoted = !quoted
      continue
    }
    const next = text.charAt(at + 1)
    if (quoted && char === '\\' && (next === '"' || next === '\\')) {
      char = next
      at++
    }
    word.push({ char, quoted })
  }
  return words
}

const textOf = (signs: readonly Sign[]): string =>
  signs
    .map(({ char }) => char)
    .join('')
    .trim()

const isBare = (char: string, sign: Sign): boolean => sign.char === char && !sign.quoted

function valuesOf(signs: readonly Sign[]): string[] {
  const values: Sign[][] = [[]]
  for (const sign of signs) {
    if (isBare(',', sign)) values.push([])
    else values.at(-1)?.push(sign)
  }
  return [...new Set(values.map(textOf).filter((value) => value !== ''))]
}

/**
 * The terms of a filter; any text is one. A field that has no value yet (`state:`) filters nothing.
 * @param fields names of the list's fields, in small letters; the text may write them in any case
 */
export function parseFilter(text: string, fields: readonly string[]): FilterTerm[] {
  return wordsOf(text).flatMap((word): FilterTerm[] => {
    const colon = word.findIndex((sign) => isBare(':', sign))
    const name = textOf(word.slice(0, Math.max(colon, 0))).toLowerCase()
    if (colon > 0 && fields.includes(name) && word.slice(0, colon).every((sign) => !sign.quoted)) {
      const values = valuesOf(word.slice(colon + 1))
      return values.length === 0 ? [] : [{ field: name, values }]
    }
    const plain = textOf(word)
    return plain === '' ? [] : [{ field: null, values: [plain] }]
  })
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`

/** Text with a colon is quoted, so that it is text whatever fields a list has. */
const writeText = (text: string): string => (/[\s":]/.test(text) ? quote(text) : text)
const writeValue = (text: string): string => (/[\s",]/.test(text) ? quote(text) : text)

/** A filter as people write it; `parseFilter` reads the same terms from it. */
export const writeFilter = (terms: readonly FilterTerm[]): string =>
  terms
    .map(({ field, values }) =>
      field === null
        ? values.map(writeText).join(' ')
        : `${field}:${values.map(writeValue).join(',')}`,
    )
    .join(' ')

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether a filter asks for this value of a field, among others or alone. */
export const asksFor = (terms: readonly FilterTerm[], field: string, value: string): boolean =>
  terms.some((term) => term.field === field && term.values.some((one) => same(one, value)))

/** Adds a value to the alternatives of its field, or removes it wherever it stands. */
export function toggleValue(
  terms: readonly FilterTerm[],
  field: string,
  value: string,
): FilterTerm[] {
  if (asksFor(terms, field, value)) {
    return terms.flatMap((term) => {
      if (term.field !== field) return [term]
      const values = term.values.filter((one) => !same(one, value))
      return values.length === 0 ? [] : [{ field, values }]
    })
  }
  const at = terms.findIndex((term) => term.field === field)
  if (at < 0) return [...terms, { field, values: [value] }]
  return terms.map((term, index) =>
    index === at ? { field, values: [...term.values, value] } : term,
  )
}
