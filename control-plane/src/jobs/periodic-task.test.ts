import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Services } from '../services.ts'
import { periodicTask, startPeriodicTasks } from './periodic-task.ts'

const log = pino({ level: 'silent' })
// These tasks use no services.
const services = {} as Services

test('a periodic task keeps running, even after a failure', async () => {
  let runs = 0
  const one = periodicTask('one', 0.001, async () => {
    runs += 1
    if (runs === 2) throw new Error('for once')
    return {}
  })
  const tasks = startPeriodicTasks([one], services, log)
  await expect.poll(() => runs).toBeGreaterThan(5)
  await tasks.stop()
  const last = runs
  await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toBe(last)
})

test('stopping ends pausing tasks at once and lets running ones finish', async () => {
  const working = Promise.withResolvers<Record<string, number>>()
  let rested = false
  const tasks = startPeriodicTasks(
    [
      periodicTask('resting', 86_400, async () => {
        rested = true
        return {}
      }),
      periodicTask('working', 86_400, () => working.promise),
    ],
    services,
    log,
  )
  await expect.poll(() => rested).toBe(true)
  let stopped = false
  const stopping = tasks.stop().then(() => {
    stopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(stopped).toBe(false)
  working.resolve({})
  await stopping
  expect(stopped).toBe(true)
})

test('a task that waits for something else does not keep the control plane from stopping', async () => {
  const started = Promise.withResolvers<void>()
  const endless = periodicTask('endless', 86_400, () => {
    started.resolve()
    return new Promise(() => undefined)
  })
  const tasks = startPeriodicTasks([endless], services, log, 10)
  await started.promise
  await tasks.stop()
})
