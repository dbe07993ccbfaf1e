import { expect, test } from 'vitest'
import { batched } from './batched.ts'

/** Doubles numbers; records each batch and waits to be released. */
function doubling() {
  const batches: number[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  const run = async (items: readonly number[]) => {
    batches.push([...items])
    const gate = Promise.withResolvers<void>()
    gates.push(gate)
    await gate.promise
    return items.map((item) => item * 2)
  }
  const opened = async (at: number) => {
    await expect.poll(() => gates[at]).toBeDefined()
    gates[at]?.resolve()
  }
  return { batches, run, opened }
}

test('concurrent items share one call, and later ones share the next', async () => {
  const { batches, run, opened } = doubling()
  const double = batched(run, { waitMs: 0, most: 100 })
  const first = [double(1), double(2)]
  await expect.poll(() => batches).toEqual([[1, 2]])
  const second = [double(3), double(4), double(5)]
  await opened(0)
  expect(await Promise.all(first)).toEqual([2, 4])
  await opened(1)
  expect(await Promise.all(second)).toEqual([6, 8, 10])
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
})

test('a batch never exceeds its limit, and a full one does not wait', async () => {
  const { batches, run, opened } = doubling()
  const double = batched(run, { waitMs: 3_600_000, most: 2 })
  const all = [1, 2, 3, 4].map((item) => double(item))
  await opened(0)
  await opened(1)
  expect(await Promise.all(all)).toEqual([2, 4, 6, 8])
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('an urgent item also sends the waiting ones', async () => {
  const { batches, run, opened } = doubling()
  const double = batched(run, { waitMs: 3_600_000, most: 100 })
  const patient = double(1)
  const urgent = double(2, true)
  await opened(0)
  expect(await Promise.all([patient, urgent])).toEqual([2, 4])
  expect(batches).toEqual([[1, 2]])
})

test('an item that fails its batch fails alone if the error allows telling them apart, otherwise all fail', async () => {
  const fault = new RangeError('not this one')
  const refusing = async (items: readonly number[]) => {
    if (items.includes(2)) throw fault
    return items
  }
  const outcomes = (alone: (error: unknown) => boolean) => {
    const pass = batched(refusing, { waitMs: 0, most: 100, alone })
    return Promise.allSettled([pass(1), pass(2), pass(3)])
  }
  expect(await outcomes((error) => error instanceof RangeError)).toEqual([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: fault },
    { status: 'fulfilled', value: 3 },
  ])
  expect(await outcomes(() => false)).toEqual(
    [1, 2, 3].map(() => ({ status: 'rejected', reason: fault })),
  )
})
