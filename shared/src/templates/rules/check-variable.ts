import type { Rule } from './rule.ts'
import { regexMatches } from './safe-regex.ts'

export interface CheckedVariable {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** Maximum length of a value, whatever its rules say. */
export const VALUE_LENGTH_MAX = 32_768

/**
 * Checks a value against its variable's rules. Returns the first fault as a sentence, or undefined.
 * Only `required`, `filled` and `accepted` refuse an empty value. Takes a few milliseconds at most,
 * for any value.
 */
export function checkVariable(variable: CheckedVariable, value: string): string | undefined {
  const { name, rules } = variable
  if (value.length > VALUE_LENGTH_MAX)
    return `${name} must not be longer than ${VALUE_LENGTH_MAX} characters`
  if (value.includes('\0')) return `${name} must not contain a null character`
  if (value === '') {
    const demands = rules.some((rule) => ['required', 'filled', 'accepted'].includes(rule.rule))
    return demands ? `${name} is required` : undefined
  }
  const numeric = rules.some((rule) => rule.rule === 'numeric' || rule.rule === 'integer')
  for (const rule of rules) {
    const fault = faultOf(rule, value, numeric)
    if (fault) return `${name} ${fault}`
  }
  return undefined
}

const NUMERIC = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,4})?\s*$/i
const INTEGER = /^\s*[+-]?(0|[1-9]\d*)\s*$/
const DIGITS = /^\d+$/
const IPV4 = /^(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const EMAIL = /^[^\s@"<>()]{1,64}@[a-z\d-]{1,63}(\.[a-z\d-]{1,63})+$/i
export const TRUE_VALUES = ['1', 'true', 'yes', 'on']

function isUrl(value: string): boolean {
  return !/\s/.test(value) && /^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(value) && URL.canParse(value)
}

function isIpv6(value: string): boolean {
  return (
    value.includes(':') && /^[\da-f:.]{2,45}$/i.test(value) && URL.canParse(`http://[${value}]/`)
  )
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const quoted = (values: readonly string[]): string =>
  values
    .slice(0, 20)
    .map((value) => `"${value}"`)
    .join(', ') + (values.length > 20 ? ', …' : '')

function faultOf(rule: Rule, value: string, numeric: boolean): string | undefined {
  const unless = (fine: boolean, sentence: string) => (fine ? undefined : sentence)
  switch (rule.rule) {
    case 'required':
    case 'nullable':
    case 'present':
    case 'filled':
    case 'sometimes':
    case 'string':
      return undefined
    case 'boolean':
      return unless(
        ['0', '1', 'true', 'false'].includes(value.toLowerCase()),
        'must be true or false',
      )
    case 'accepted':
      return unless(TRUE_VALUES.includes(value.toLowerCase()), 'must be accepted')
    case 'numeric':
      return unless(NUMERIC.test(value), 'must be a number')
    case 'integer':
      return unless(INTEGER.test(value), 'must be a whole number')
    case 'alpha':
      return unless(/^[\p{L}\p{M}]+$/u.test(value), 'may only contain letters')
    case 'alpha_num':
      return unless(/^[\p{L}\p{M}\p{N}]+$/u.test(value), 'may only contain letters and digits')
    case 'alpha_dash':
      return unless(
        /^[\p{L}\p{M}\p{N}_-]+$/u.test(value),
        'may only contain letters, digits, dashes and underscores',
      )
    case 'ascii':
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them
      return unless(/^[\x00-\x7f]*$/.test(value), 'may only contain ASCII characters')
    case 'lowercase':
      return unless(value === value.toLowerCase(), 'must be in lower case')
    case 'uppercase':
      return unless(value === value.toUpperCase(), 'must be in upper case')
    case 'url':
      return unless(isUrl(value), 'must be a URL')
    case 'email':
      return unless(EMAIL.test(value), 'must be an e-mail address')
    case 'ip':
      return unless(IPV4.test(value) || isIpv6(value), 'must be an IP address')
    case 'ipv4':
      return unless(IPV4.test(value), 'must be an IPv4 address')
    case 'ipv6':
      return unless(isIpv6(value), 'must be an IPv6 address')
    case 'uuid':
      return unless(UUID.test(value), 'must be a UUID')
    case 'json':
      return unless(isJson(value), 'must be JSON')
    case 'min':
      return unless(sizeOf(value, numeric) >= rule.value, atLeast(rule.value, numeric))
    case 'gte':
      return unless(sizeOf(value, numeric) >= rule.value, atLeast(rule.value, numeric))
    case 'max':
    case 'lte':
      return unless(sizeOf(value, numeric) <= rule.value, atMost(rule.value, numeric))
    case 'gt':
      return unless(
        sizeOf(value, numeric) > rule.value,
        numeric ? `must be greater than ${rule.value}` : `must be longer than ${rule.value}`,
      )
    case 'lt':
      return unless(
        sizeOf(value, numeric) < rule.value,
        numeric ? `must be less than ${rule.value}` : `must be shorter than ${rule.value}`,
      )
    case 'size':
      return unless(
        sizeOf(value, numeric) === rule.value,
        numeric ? `must be ${rule.value}` : `must have exactly ${rule.value} characters`,
      )
    case 'between': {
      const size = sizeOf(value, numeric)
      return unless(
        size >= rule.min && size <= rule.max,
        numeric
          ? `must be between ${rule.min} and ${rule.max}`
          : `must have between ${rule.min} and ${rule.max} characters`,
      )
    }
    case 'digits':
      return unless(
        DIGITS.test(value) && value.length === rule.value,
        `must have ${rule.value} digits`,
      )
    case 'min_digits':
      return unless(
        DIGITS.test(value) && value.length >= rule.value,
        `must have at least ${rule.value} digits`,
      )
    case 'max_digits':
      return unless(
        DIGITS.test(value) && value.length <= rule.value,
        `must have at most ${rule.value} digits`,
      )
    case 'digits_between':
      return unless(
        DIGITS.test(value) && value.length >= rule.min && value.length <= rule.max,
        `must have between ${rule.min} and ${rule.max} digits`,
      )
    case 'in':
      return unless(rule.values.includes(value), `must be one of ${quoted(rule.values)}`)
    case 'not_in':
      return unless(!rule.values.includes(value), `must not be one of ${quoted(rule.values)}`)
    case 'starts_with':
      return unless(
        rule.values.some((v) => value.startsWith(v)),
        `must begin with one of ${quoted(rule.values)}`,
      )
    case 'doesnt_start_with':
      return unless(
        !rule.values.some((v) => value.startsWith(v)),
        `must not begin with one of ${quoted(rule.values)}`,
      )
    case 'ends_with':
      return unless(
        rule.values.some((v) => value.endsWith(v)),
        `must end with one of ${quoted(rule.values)}`,
      )
    case 'doesnt_end_with':
      return unless(
        !rule.values.some((v) => value.endsWith(v)),
        `must not end with one of ${quoted(rule.values)}`,
      )
    case 'regex':
    case 'not_regex':
      return regexFault(rule, value)
  }
}

function regexFault(rule: Extract<Rule, { pattern: string }>, value: string): string | undefined {
  if (rule.unchecked) return undefined
  const matches = regexMatches(rule.pattern, rule.flags, value)
  if (matches === undefined) return 'is too long for its pattern to be checked'
  if (matches === (rule.rule === 'regex')) return undefined
  return rule.rule === 'regex'
    ? 'does not have the expected form'
    : 'has a form that is not allowed'
}

/** The value itself for numbers, else its length in characters. */
function sizeOf(value: string, numeric: boolean): number {
  if (numeric && NUMERIC.test(value)) return Number(value)
  let characters = 0
  for (const _ of value) characters++
  return characters
}

const atLeast = (value: number, numeric: boolean): string =>
  numeric ? `must be at least ${value}` : `must have at least ${value} characters`
const atMost = (value: number, numeric: boolean): string =>
  numeric ? `must be at most ${value}` : `must have at most ${value} characters`
