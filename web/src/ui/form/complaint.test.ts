import { emailAddress, newPassword } from '@lodge/shared/accounts.ts'
import { serverName } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { complaint, unreadAmounts } from './complaint.ts'

const first = (schema: z.ZodType, value: unknown): string => {
  const parsed = schema.safeParse(value)
  return parsed.success || !parsed.error.issues[0] ? '' : complaint(parsed.error.issues[0])
}

test.each([
  ['a missing text', z.string(), undefined, 'Is required'],
  ['an empty name', serverName, '', 'Is required'],
  ['a name that is too long', serverName, 'x'.repeat(65), 'At most 64 characters'],
  ['a number that is too large', z.int().max(100), 101, 'Must be at most 100'],
  ['a number that is too small', z.int().min(16), 3, 'Must be at least 16'],
  ['a text instead of a number', z.int(), 'x', 'Is not valid'],
  ['a short password', newPassword, 'short', 'must have 12 or more characters'],
  ['a wrong address', emailAddress, 'nobody', 'is not an e-mail address'],
])('describes %s in plain words', (_what, schema, value, words) => {
  expect(first(schema, value)).toBe(words)
})

test('an unreadable amount is found at any depth', () => {
  const values = {
    name: 'x',
    memoryMb: Number.NaN,
    rules: [{ guestPort: 22 }, { guestPort: Number.NaN }],
  }
  expect(unreadAmounts(values)).toEqual(['memoryMb', 'rules/1/guestPort'])
  expect(unreadAmounts({ memoryMb: undefined, days: null })).toEqual([])
})
