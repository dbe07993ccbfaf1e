import type { z } from 'zod'
import { saidReason } from '../../panel/said.ts'
import type { Bound } from '../fields/field-props.ts'
import { names } from './names.ts'

type Issue = z.core.$ZodIssue

const isOurs = (message: string): boolean =>
  !/^(Invalid|Too (big|small)|Unrecognized)/.test(message)

/** What is wrong with a field, in plain words. Keeps a schema's own messages. */
export function complaint(issue: Issue): string {
  if (isOurs(issue.message)) return saidReason(issue.message)
  switch (issue.code) {
    case 'invalid_type':
      return /received undefined/.test(issue.message) ? names.required : names.notValid
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return Number(issue.minimum) <= 1
          ? names.required
          : names.tooFew({ count: String(issue.minimum) })
      }
      return names.tooLittle({ least: String(issue.minimum) })
    case 'too_big':
      return issue.origin === 'string'
        ? names.tooLong({ count: Number(issue.maximum) })
        : names.tooMuch({ most: String(issue.maximum) })
    case 'invalid_format':
      return names.badCharacters
    default:
      return names.notValid
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
