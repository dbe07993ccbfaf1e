import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS | string>()
const COMPILED_MAX = 500
/** Instructions an expression may compile to; each takes some microseconds. */
const PROGRAM_MAX = 1000
const TOO_LARGE = 'the expression is too large'
/** Steps a match may take at most: program size times text length. */
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
    const text = translate(pattern)
    const small = repeatedSize(text) <= PROGRAM_MAX
    result = small ? RE2JS.compile(text, re2Flags(flags)) : TOO_LARGE
    if (typeof result !== 'string' && result.programSize() > PROGRAM_MAX) result = TOO_LARGE
  } catch (error) {
    result = error instanceof Error ? error.message : 'the expression cannot be read'
  }
  if (compiled.size >= COMPILED_MAX) compiled.delete(compiled.keys().next().value ?? '')
  compiled.set(key, result)
  return result
}

/** An estimate of the instructions the expression expands to, without expanding it: `(ab){9}` is 18. */
function repeatedSize(pattern: string): number {
  const groups = [0]
  let atom = 0
  const close = () => {
    groups.push((groups.pop() ?? 0) + atom)
    atom = 0
  }
  for (let i = 0; i < pattern.length; i++) {
    const repeat =
      pattern[i] === '{' ? /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(pattern.slice(i, i + 12)) : null
    if (repeat) {
      atom *= Math.max(Number(repeat[1]), Number(repeat[2] || repeat[1]), 1)
      i += repeat[0].length - 1
    } else if (pattern[i] === '(') {
      close()
      groups.push(0)
    } else if (pattern[i] === ')') {
      close()
      atom = groups.length > 1 ? (groups.pop() ?? 0) + 1 : 1
    } else {
      close()
      atom = 1
      if (pattern[i] === '\\') i++
      else if (pattern[i] === '[') i = classEnd(pattern, i)
    }
  }
  close()
  return groups.reduce((sum, size) => sum + size, 0)
}

/** Where a character class like `[^]a-z\\]]` ends. */
function classEnd(pattern: string, start: number): number {
  const first = /^\[\^?\]?/.exec(pattern.slice(start, start + 3))?.[0].length ?? 1
  for (let i = start + first; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++
    else if (pattern[i] === ']') return i
  }
  return pattern.length
}

/** Possessive and atomic groups only control backtracking, which RE2 does not do. */
function translate(pattern: string): string {
  return pattern.replaceAll('(?>', '(?:').replaceAll('\\/', '/').replaceAll('\\Z', '\\z')
}

/** Why an expression cannot be evaluated in linear time, in words; undefined when it can. */
export function whyNotRegex(pattern: string, flags = ''): string | undefined {
  const result = compile(pattern, flags)
  return typeof result === 'string' ? result : undefined
}

/**
 * Whether `text` contains a match. Undefined when the expression cannot be evaluated, or when the
 * text is so long that matching would exceed the budget.
 */
export function regexMatches(pattern: string, flags: string, text: string): boolean | undefined {
  const expression = compile(pattern, flags)
  if (typeof expression === 'string') return undefined
  if (expression.programSize() * text.length > STEPS_MAX) return undefined
  return expression.matcher(text).find()
}

/**
 * Replaces every match in `text` by `value`, in which `$1` or `${1}` is a group and a missing group
 * is empty. Undefined when nothing matches. Throws when the expression cannot be evaluated.
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
