import { expect, test } from 'vitest'
import { batched } from './batched.ts'

test('lookups of one turn share one statement, and each gets its own answer', async () => {
  const asked: (readonly string[])[] = []
  const ask = batched(async (keys) => {
    asked.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]))
  })
  expect(await Promise.all(['a', 'b', 'a', 'none'].map(ask))).toEqual(['A', 'B', 'A', undefined])
  expect(asked).toEqual([['a', 'b', 'none']])
})

test('a lookup is never answered by a statement that was sent before it', async () => {
  let now = 1
  const first = Promise.withResolvers<void>()
  const ask = batched(async (keys) => {
    const seen = now
    if (seen === 1) await first.promise
    return new Map(keys.map((key) => [key, seen]))
  })
  const early = ask('a')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  now = 2
  const late = ask('a')
  first.resolve()
  expect([await early, await late]).toEqual([1, 2])
})

test('a failed statement fails its own lookups, not later ones', async () => {
  let broken = true
  const ask = batched<number>(async (keys) => {
    if (broken) throw new Error('gone')
    return new Map(keys.map((key) => [key, 1]))
  })
  await expect(Promise.all([ask('a'), ask('b')])).rejects.toThrow('gone')
  broken = false
  expect(await ask('a')).toBe(1)
})

test('many lookups are split into statements of bounded size', async () => {
  const sizes: number[] = []
  const ask = batched(async (keys) => {
    sizes.push(keys.length)
    return new Map(keys.map((key) => [key, key]))
  }, 3)
  const keys = ['1', '2', '3', '4', '5', '6', '7']
  expect(await Promise.all(keys.map(ask))).toEqual(keys)
  expect(sizes).toEqual([3, 3, 1])
})
