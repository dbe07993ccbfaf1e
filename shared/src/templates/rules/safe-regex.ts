import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS | string>()
const COMPILED_MAX = 500
/** Steps a match may take at most: program size times length of the text. */
const STEPS_MAX = 400_000

function re2Flags(flags: string): number {
  let bits = 0
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) bits |= RE2JS.MULTILINE
  if (flags.includes('s')) bits |= RE2JS.DOTALL
  return bits
}

function compile(pattern: string, flags: string): RE2JS | string {
  const key = `${flags}/${pattern}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  let result: RE2JS | string
  try {
    result = RE2JS.compile(translate(pattern), re2Flags(flags))
    if (result.programSize() > 4000) result = 'the expression is too large'
  } catch (error) {
    result = error instanceof Error ? error.message : 'the expression cannot be read'
  }
  if (compiled.size >= COMPILED_MAX) compiled.delete(compiled.keys().next().value ?? '')
  compiled.set(key, result)
  return result
}

/** Possessive and atomic groups only steer backtracking, of which there is none here. */
function translate(pattern: string): string {
  return pattern.replaceAll('(?>', '(?:').replaceAll('\\/', '/').replaceAll('\\Z', '\\z')
}

/** Why an expression cannot be evaluated in linear time, in words; undefined when it can. */
export function whyNotRegex(pattern: string, flags = ''): string | undefined {
  const result = compile(pattern, flags)
  return typeof result === 'string' ? result : undefined
}

/**
 * Does `text` contain a match? Undefined when the expression cannot be evaluated, or when the text is
 * so long that the answer would take more than the budget.
 */
export function regexMatches(pattern: string, flags: string, text: string): boolean | undefined {
  const expression = compile(pattern, flags)
  if (typeof expression === 'string') return undefined
  if (expression.programSize() * text.length > STEPS_MAX) return undefined
  return expression.matcher(text).find()
}

/**
 * Replaces every match in `text` by `value`, in which `$1` or `${1}` stands for a group and a missing
 * group for nothing. Undefined when nothing matches. Throws when the expression cannot be evaluated.
 */
export function replaceMatches(pattern: string, text: string, value: string): string | undefined {
  const expression = compile(pattern, '')
  if (typeof expression === 'string') throw new Error(expression)
  const matcher = expression.matcher(text)
  let result = ''
  let at = 0
  let found = false
  while (matcher.find()) {
    found = true
    const groups = matcher.groupCount()
    const expanded = value.replaceAll(/\$(?:(\d{1,2})|\{(\d{1,2})\})/g, (_, plain, braced) => {
      const group = Number(plain ?? braced)
      return group <= groups ? (matcher.group(group) ?? '') : ''
    })
    result += text.slice(at, matcher.start()) + expanded
    at = matcher.end()
  }
  return found ? result + text.slice(at) : undefined
}
