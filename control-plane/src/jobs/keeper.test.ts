import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Services } from '../context.ts'
import { keeper, startKeepers } from './keeper.ts'

const log = pino({ level: 'silent' })
// These keepers look at nothing.
const services = {} as Services

test('a keeper runs again and again, also after it has failed', async () => {
  let runs = 0
  const one = keeper('one', 0.001, async () => {
    runs += 1
    if (runs === 2) throw new Error('for once')
    return {}
  })
  const keepers = startKeepers([one], services, log)
  await expect.poll(() => runs).toBeGreaterThan(5)
  await keepers.stop()
  const last = runs
  await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toBe(last)
})

test('keepers that rest for long end at once, those that run when they have done so', async () => {
  const working = Promise.withResolvers<Record<string, number>>()
  let rested = false
  const keepers = startKeepers(
    [
      keeper('resting', 86_400, async () => {
        rested = true
        return {}
      }),
      keeper('working', 86_400, () => working.promise),
    ],
    services,
    log,
  )
  await expect.poll(() => rested).toBe(true)
  let stopped = false
  const stopping = keepers.stop().then(() => {
    stopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(stopped).toBe(false)
  working.resolve({})
  await stopping
  expect(stopped).toBe(true)
})
