import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Problem } from '../problem.ts'
import { oneByOne } from './one-by-one.ts'

const services = { log: pino({ level: 'silent' }) }
const away = Object.assign(new Error('terminating connection'), { code: '57P01' })
const slow = Object.assign(new Error('canceling statement'), { code: '57014' })

test('one that fails holds up none behind it', async () => {
  const seen: number[] = []
  const faults = [
    undefined,
    new Error('a fault'),
    new Problem('conflict', 'a job'),
    slow,
    undefined,
  ]
  const done = await oneByOne(services, faults, async (fault) => {
    seen.push(faults.indexOf(fault))
    if (fault) throw fault
    return true
  })
  expect(done).toBe(2)
  expect(seen).toHaveLength(5)
})

test('a database that is away ends the round, and so does a stop', async () => {
  const seen: number[] = []
  const work = async (item: number) => {
    seen.push(item)
    if (item === 2) throw away
    return 10
  }
  await expect(oneByOne(services, [1, 2, 3], work)).rejects.toBe(away)
  expect(seen).toEqual([1, 2])
  expect(await oneByOne(services, [1, 3], work, AbortSignal.abort())).toBe(0)
  expect(await oneByOne(services, [1, 3], work)).toBe(20)
})
