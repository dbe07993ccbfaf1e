import type { z } from 'zod'
import type { Bound } from '../fields/field-props.ts'

type Issue = z.core.$ZodIssue

const isOurs = (message: string): boolean =>
  !/^(Invalid|Too (big|small)|Unrecognized)/.test(message)

/** What is wrong with a field, in plain words. Keeps a schema's own messages. */
export function complaint(issue: Issue): string {
  if (isOurs(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.includes('received undefined') ? 'Is needed' : 'Is not valid'
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return Number(issue.minimum) <= 1 ? 'Is needed' : `Needs at least ${issue.minimum}`
      }
      return `Must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string'
        ? `At most ${issue.maximum} characters`
        : `Must be at most ${issue.maximum}`
    case 'invalid_format':
      return 'Has characters that are not allowed here'
    default:
      return 'Is not valid'
  }
}

/** The bound that a too large or too small amount exceeds. */
export function boundOf(issue: Issue): Bound | undefined {
  if (issue.code === 'too_big' && isAmount(issue.origin)) return { most: Number(issue.maximum) }
  if (issue.code === 'too_small' && isAmount(issue.origin)) return { least: Number(issue.minimum) }
  return undefined
}

const isAmount = (origin: string): boolean => origin === 'number' || origin === 'int'

/** The paths of unreadable amounts (`NaN`), as `memoryMb` or `rules/0/guestPort`. */
export function unreadAmounts(value: unknown, at: readonly string[] = []): readonly string[] {
  if (Number.isNaN(value)) return [at.join('/')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => unreadAmounts(part, [...at, key]))
}
