import { backoffMs } from '@lodge/shared/backoff.ts'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { type Clock, systemClock } from '../clock.ts'
import { FleetFixture } from '../testing/fleet.fixture.ts'
import { CONTROL_PLANE_AWAY, Link, NODE_REFUSED } from './link.ts'
import { Writer } from './writer.ts'

it('retries an unavailable control plane often, and one that rejects the node only every ten minutes in the end', () => {
  const longest = (refused: boolean) =>
    Array.from({ length: 30 }, (_, tries) =>
      backoffMs(tries, refused ? NODE_REFUSED : CONTROL_PLANE_AWAY, 1),
    )
  expect(Math.max(...longest(false))).toBe(15_000)
  expect(longest(true).at(-1)).toBe(600_000)
  // The first retries are quick in both cases: the node may be about to be accepted.
  expect(longest(true)[0]).toBe(longest(false)[0])
})

it('backs off from a control plane that has removed its node', async () => {
  const fleet = await FleetFixture.open()
  const pauses: number[] = []
  const many = Promise.withResolvers<void>()
  const clock: Clock = {
    nowMs: systemClock.nowMs,
    after(delayMs, callback) {
      // The deadline for the welcome.
      if (delayMs === 15_000) return systemClock.after(delayMs, callback)
      pauses.push(delayMs)
      if (pauses.length === 30) many.resolve()
      // Records each backoff delay and skips it.
      return systemClock.after(0, callback)
    },
  }
  const writer = new Writer({ observation: () => undefined, reportsAfter: () => [], clock })
  const link = new Link({
    identity: { ...fleet.identity, credential: 'of a node that was removed' },
    writer,
    clock,
    log: pino({ level: 'silent' }),
    hello: async () => HELLO,
    welcome: () => undefined,
    message: () => undefined,
    lost: () => undefined,
  })
  link.start()
  await many.promise
  await link.stop()
  await fleet.vanish()
  expect(Math.max(...pauses)).toBeGreaterThan(60_000)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(600_000)
})

it('connects again when a message cannot be handled, and believes nothing that follows it', async () => {
  const fleet = await FleetFixture.open()
  fleet.setDesired({ serverId: crypto.randomUUID() })
  const heard: string[] = []
  const ended = Promise.withResolvers<void>()
  const clock: Clock = {
    nowMs: systemClock.nowMs,
    // Only the deadlines take their time.
    after: (delayMs, callback) => systemClock.after(delayMs < 2_000 ? 0 : delayMs, callback),
  }
  const link = new Link({
    identity: fleet.identity,
    writer: new Writer({ observation: () => undefined, reportsAfter: () => [], clock }),
    clock,
    log: pino({ level: 'silent' }),
    hello: async () => HELLO,
    welcome: () => undefined,
    message({ $case }) {
      heard.push($case)
      if (heard.length === 1) throw new Error('the disk is full')
      if ($case === 'desiredEnd') ended.resolve()
    },
    lost: () => undefined,
  })
  link.start()
  await ended.promise
  await link.stop()
  await fleet.vanish()
  expect(heard).toEqual(['desiredServer', 'desiredServer', 'desiredEnd'])
})

const HELLO = {
  protocolMinor: 1,
  agentVersion: '0.1.0',
  bootId: 'boot',
  drivers: [],
  capabilities: [],
  preflight: [],
  newestReport: 0,
  cpuCores: 1,
  memoryBytes: 1,
  diskBytes: 1,
  clockUnixMs: 0,
}
