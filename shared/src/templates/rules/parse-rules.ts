import { BARE_RULES, DIGIT_RULES, LIST_RULES, NUMBER_RULES, type Rule } from './rule.ts'
import { whyNotRegex } from './safe-regex.ts'

export interface ParsedRules {
  readonly rules: Rule[]
  /** What was left out or changed, one sentence each. */
  readonly warnings: string[]
}

const ALIASES: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  num: 'numeric',
}
const WITH_ARGUMENT = [...NUMBER_RULES, ...DIGIT_RULES, ...LIST_RULES, 'between', 'digits_between']
const KNOWN: readonly string[] = [
  ...BARE_RULES,
  ...WITH_ARGUMENT,
  'regex',
  'not_regex',
  'int',
  'bool',
]

/**
 * Parses a variable's rules: `a|b:1|regex:/x/`, or a list of such parts. Tolerates empty parts, any
 * case, expressions without delimiters and with `|` inside; unknown parts become warnings.
 */
export function parseRules(source: unknown): ParsedRules {
  const rules: Rule[] = []
  const warnings: string[] = []
  for (const token of tokensOf(source, warnings)) {
    const rule = parseRule(token, warnings)
    if (rule) rules.push(rule)
  }
  return { rules, warnings }
}

function tokensOf(source: unknown, warnings: string[]): string[] {
  if (source === null || source === undefined) return []
  if (typeof source === 'string') return splitPipes(source)
  if (Array.isArray(source)) {
    return source.flatMap((part) => {
      if (typeof part === 'string') return splitPipes(part)
      warnings.push('A rule that is not text was left out')
      return []
    })
  }
  if (typeof source === 'object' && Object.keys(source).length === 0) return []
  warnings.push('The rules are neither text nor a list and were left out')
  return []
}

const isRegex = (part: string): boolean => /^\s*(not_)?regex:/i.test(part)

/** Splits at `|`, except inside a regular expression. */
function splitPipes(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > 0) {
    const end = isRegex(rest) ? regexEnd(rest) : indexOrEnd(rest, '|')
    const part = rest.slice(0, end).trim()
    if (part !== '') parts.push(part)
    rest = rest.slice(end + 1)
  }
  return parts
}

function indexOrEnd(text: string, wanted: string): number {
  const at = text.indexOf(wanted)
  return at === -1 ? text.length : at
}

/** Where a leading `regex:…` ends: after its closing delimiter, else before the next known rule. */
function regexEnd(text: string): number {
  const start = text.indexOf(':') + 1
  const opening = text[start] ?? ''
  const closing = bracketEnd(text, start)
  if (closing !== undefined && /^[a-zA-Z]*\s*(\||$)/.test(text.slice(closing + 1, closing + 20))) {
    return closing + 1 + indexOrEnd(text.slice(closing + 1), '|')
  }
  if (/[^\w\s\\([{|^]/.test(opening)) {
    for (let i = start + 1; i < text.length; i++) {
      if (text[i] === '\\') i++
      else if (text[i] === opening && /^[a-zA-Z]*\s*(\||$)/.test(text.slice(i + 1, i + 20))) {
        return i + 1 + indexOrEnd(text.slice(i + 1), '|')
      }
    }
  }
  let at = text.indexOf('|', start)
  while (at !== -1) {
    const next = /^\s*([a-z_]+)\s*(:|\||$)/i.exec(text.slice(at + 1, at + 40))
    if (next && KNOWN.includes((next[1] ?? '').toLowerCase())) return at
    if (text.slice(at + 1).trim() === '') return at
    at = text.indexOf('|', at + 1)
  }
  return text.length
}

function parseRule(token: string, warnings: string[]): Rule | undefined {
  const colon = token.indexOf(':')
  const given = (colon === -1 ? token : token.slice(0, colon)).trim().toLowerCase()
  const name = ALIASES[given] ?? given
  const argument = colon === -1 ? '' : token.slice(colon + 1)
  const drop = (why: string): undefined => {
    warnings.push(`The rule "${token.slice(0, 80)}" was left out: ${why}`)
    return undefined
  }
  const bare = BARE_RULES.find((known) => known === name)
  if (bare) return { rule: bare }
  if (name === 'regex' || name === 'not_regex') return parseRegex(name, argument, token, warnings)
  const list = LIST_RULES.find((known) => known === name)
  if (list) {
    const values = splitValues(argument)
    if (values.length === 0 || values.length > 500) return drop('it needs 1 to 500 values')
    return { rule: list, values: values.map((value) => value.slice(0, 1024)) }
  }
  const numbers = splitValues(argument).map((part) =>
    Number(part.trim() === '' ? Number.NaN : part),
  )
  const [first, second] = numbers
  const counts = name.includes('digits')
  if (
    counts &&
    numbers.some((number) => !Number.isInteger(number) || number < 0 || number > 100_000)
  ) {
    return drop('it needs a count of digits')
  }
  if (name === 'between' || name === 'digits_between') {
    if (numbers.length !== 2 || !Number.isFinite(first) || !Number.isFinite(second))
      return drop('it needs two numbers')
    return { rule: name, min: first ?? 0, max: second ?? 0 }
  }
  const single = [...NUMBER_RULES, ...DIGIT_RULES].find((known) => known === name)
  if (!single) return drop('it is not known')
  if (numbers.length !== 1 || !Number.isFinite(first)) return drop('it needs one number')
  return { rule: single, value: first ?? 0 }
}

/** PCRE accepts square brackets as delimiters too, but authors who omit delimiters mean a character class. */
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '{': '}', '<': '>' }

/** Where the bracket that opens at `start` closes; undefined when none opens there or it never closes. */
function bracketEnd(text: string, start: number): number | undefined {
  const opening = text[start] ?? ''
  const closing = CLOSING[opening]
  if (closing === undefined) return undefined
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === opening) depth++
    else if (text[i] === closing && --depth === 0) return i
  }
  return undefined
}

/** Where a leading expression in delimiters ends; undefined when there is none. */
function delimiterEnd(text: string): number | undefined {
  const opening = text[0] ?? ''
  const bracket = bracketEnd(text, 0)
  if (bracket !== undefined)
    return /^[a-zA-Z]*$/.test(text.slice(bracket + 1)) ? bracket : undefined
  const last = text.lastIndexOf(opening)
  return /^[/#~!@%;,]/.test(opening) && last > 0 ? last : undefined
}

function parseRegex(
  name: 'regex' | 'not_regex',
  source: string,
  token: string,
  warnings: string[],
): Rule | undefined {
  const text = source.trim()
  const end = delimiterEnd(text)
  const pattern = end === undefined ? text : text.slice(1, end)
  const givenFlags = end === undefined ? '' : text.slice(end + 1)
  if (end === undefined && text !== '')
    warnings.push(`The expression "${text.slice(0, 80)}" has no delimiters`)
  if (pattern === '' || pattern.length > 1024) {
    warnings.push(
      `The rule "${token.slice(0, 80)}" was left out: its expression is empty or too long`,
    )
    return undefined
  }
  const flags = [...new Set(givenFlags)].filter((flag) => 'imsu'.includes(flag)).join('')
  const unknown = [...givenFlags].filter((flag) => !'imsuD'.includes(flag)).join('')
  if (unknown !== '')
    warnings.push(`The flags "${unknown.slice(0, 20)}" of an expression were left out`)
  const fault = whyNotRegex(pattern, flags)
  if (fault === undefined) return { rule: name, pattern, flags }
  warnings.push(`The expression "${pattern.slice(0, 80)}" is kept but not checked: ${fault}`)
  return { rule: name, pattern, flags, unchecked: true }
}

/** Comma-separated values, where `"…"` keeps a comma and `""` is a quote. */
function splitValues(text: string): string[] {
  if (text === '') return []
  const values: string[] = []
  let value = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '"' && quoted && text[i + 1] === '"') {
      value += '"'
      i++
    } else if (char === '"' && (quoted || value === '')) quoted = !quoted
    else if (char === ',' && !quoted) {
      values.push(value)
      value = ''
    } else value += char
  }
  values.push(value)
  return values
}

const quoteValue = (value: string): string =>
  /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value

/** The parts as other panels write them; `parseRules` of the result gives the same rules. */
export function formatRules(rules: readonly Rule[]): string[] {
  return rules.map((rule) => {
    if ('pattern' in rule) return `${rule.rule}:${delimit(rule.pattern)}${rule.flags}`
    if ('values' in rule) return `${rule.rule}:${rule.values.map(quoteValue).join(',')}`
    if ('min' in rule) return `${rule.rule}:${rule.min},${rule.max}`
    if ('value' in rule) return `${rule.rule}:${rule.value}`
    return rule.rule
  })
}

function delimit(pattern: string): string {
  const delimiter = ['/', '#', '~', '!', '@', '%'].find((char) => !unescaped(pattern, char)) ?? '/'
  return `${delimiter}${pattern}${delimiter}`
}

function unescaped(pattern: string, char: string): boolean {
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++
    else if (pattern[i] === char) return true
  }
  return false
}
