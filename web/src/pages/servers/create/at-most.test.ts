import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

const field = { value: 2, error: undefined, onChange: () => undefined }
const write = String

test('a size field shows the maximum, and an error once the size exceeds it', () => {
  expect(atMost(field, 3, { amount: 2, write })).toMatchObject({ description: 'At most 3 now' })
  const over = atMost(field, 1, { amount: 2, write })
  expect(over).toMatchObject({ error: 'At most 1 now' })
  expect(over.description).toBeUndefined()
})

test('an error from the API stays, and without a bound nothing is shown', () => {
  const refused = { ...field, error: 'exceeds the limit' }
  expect(atMost(refused, 1, { amount: 2, write })).toBe(refused)
  expect(atMost(field, undefined, { amount: 2, write })).toBe(field)
})
