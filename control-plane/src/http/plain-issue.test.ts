import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseInput } from './input.ts'

test.for<[string, z.ZodType, unknown, string]>([
  ['a port that is too large', z.int().max(65535), 999_999, 'must be at most 65535'],
  ['nothing where a number stands', z.int().min(1), undefined, 'is required'],
  ['a text where a number stands', z.number(), 'x', 'must be a number'],
  ['a long name', z.string().max(3), 'long', 'must have at most 3 characters'],
  ['an empty name', z.string().min(1), '', 'must not be empty'],
  ['an empty list', z.array(z.string()).min(1), [], 'must not be empty'],
  ['what a schema says itself', z.string().min(3, 'is too terse'), 'a', 'is too terse'],
])('%s is refused in plain words', ([, schema, input, detail]) => {
  expect(() => parseInput(z.object({ field: schema }), { field: input })).toThrow(
    `/field ${detail}`,
  )
})
