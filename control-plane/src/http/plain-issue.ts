import type { z } from 'zod'

/** What values are called where something else was sent. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * What is wrong with a value, in words to be read after its name and shown at its field. Undefined
 * where there are none better than zod's own.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'is required'
      const kind = KINDS[issue.expected]
      return kind && `must be ${kind}`
    }
    case 'too_big':
      return bound(issue, issue.maximum, ['at most', 'less than'])
    case 'too_small':
      return bound(issue, issue.minimum, ['at least', 'more than'])
    default:
      return undefined
  }
}

interface Bounded {
  readonly origin: string
  readonly inclusive?: boolean | undefined
  readonly exact?: boolean | undefined
}

function bound(
  { origin, inclusive, exact }: Bounded,
  limit: number | bigint,
  [within, beyond]: readonly [string, string],
): string | undefined {
  const amount = `${exact ? 'exactly' : inclusive === false ? beyond : within} ${limit}`
  if (['number', 'int', 'bigint'].includes(origin)) return `must be ${amount}`
  if (origin !== 'string' && origin !== 'array') return undefined
  if (within === 'at least' && !exact && Number(limit) === 1) return 'must not be empty'
  return `must have ${amount} ${origin === 'string' ? 'characters' : 'entries'}`
}
