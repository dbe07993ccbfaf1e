import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseReply } from './newer-values.ts'

const Task = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('wait'), seconds: z.int().max(900) }),
  z.strictObject({
    action: z.literal('power'),
    power: z.enum(['start', 'stop']),
    note: z.string(),
  }),
])
const Reply = z.object({
  items: z.array(z.object({ mode: z.enum(['a', 'b']).nullable(), tasks: z.array(Task) })),
})
const parse = (...items: readonly object[]) => {
  const told: unknown[] = []
  const reply = parseReply(Reply, { items, extra: 1 }, (unknown) => told.push(unknown))
  return { items: reply.items, told: told.length }
}

test('a reply of known values is as its schema says', () => {
  const item = { mode: 'a', tasks: [{ action: 'wait', seconds: 1 }] }
  expect(parse(item)).toEqual({ items: [item], told: 0 })
})

test('values that only a newer version knows are shown as they are, and told once', () => {
  const tasks = [{ action: 'power', power: 'hibernate', note: '' }]
  const item = { mode: 'c', tasks }
  expect(parse({ mode: 'a', tasks: [] }, item)).toEqual({
    items: [{ mode: 'a', tasks: [] }, item],
    told: 1,
  })
})

test('an entry of a newer kind keeps only what other kinds have too, and nothing within', () => {
  const tasks = [
    { action: 'call', secret: 'x', note: 'kept', power: { within: 'x' } },
    { action: 'wait', seconds: 5, until: 'x' },
  ]
  expect(parse({ mode: 'a', tasks }).items).toEqual([
    {
      mode: 'a',
      tasks: [
        { action: 'call', note: 'kept' },
        { action: 'wait', seconds: 5 },
      ],
    },
  ])
})

test('a reply of another shape is a fault as before', () => {
  expect(() => parse({ mode: 1, tasks: [] })).toThrow(z.ZodError)
  expect(() => parse({ mode: 'a' })).toThrow(z.ZodError)
})
