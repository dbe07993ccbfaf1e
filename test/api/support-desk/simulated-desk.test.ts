import { expect, test } from 'vitest'
import { seedChance } from '../../../drivers/contract/src/suite/chance.ts'
import { isLong, lengthOf } from '../../run/lengths.ts'
import { expectClocks, expectHistories, expectMessages, lookAt } from './simulated/checks.ts'
import { Desk } from './simulated/desk.ts'
import { expectAudit, expectMails, expectRest, expectRules, expectTold } from './simulated/told.ts'
import { Traffic } from './simulated/traffic.ts'

// An hour of a support desk with two control planes, one of which ends in the middle. Time passes in
// steps: everything in a step happens concurrently, and is then moved so many minutes into the past.

const seed = Number(process.env.LODGE_DESK_SEED ?? 1)
const tickets = lengthOf('LODGE_DESK_TICKETS')
/** The number of actions for each ticket that is opened. */
const DEEDS = 4
const STEPS = isLong ? 12 : 4
const STEP_MINUTES = 60 / STEPS
const AT_ONCE = 8

test('an hour of the desk loses and doubles no message, and no clock is wrong', {
  timeout: isLong ? 3_600_000 : 300_000,
}, async () => {
  seedChance(seed)
  const agents = isLong ? 200 : 6
  await using desk = await Desk.open({ agents, customers: Math.ceil(tickets / 5) })
  const traffic = new Traffic(desk)
  try {
    for (let step = 0; step < STEPS; step++) {
      const opened = share(tickets, step)
      const work = [
        ...Array.from({ length: opened }, () => () => traffic.open()),
        ...Array.from({ length: opened * DEEDS }, () => () => traffic.work()),
      ]
      const meanwhile = step === STEPS / 2 ? desk.replaceSecond() : undefined
      const hours = step === 1 ? desk.setTimeZone('America/New_York') : undefined
      await Promise.all([atOnce(work), meanwhile, hours])
      await desk.settle()
      await desk.passTime(STEP_MINUTES)
    }
    await desk.settle()
    const before = Date.now()
    const found = await lookAt(desk)
    expect(traffic.faults).toEqual([])
    expectMessages(traffic, found)
    expectHistories(found)
    expectClocks(found, { before, after: Date.now() })
    await expectTold(desk, found)
    await expectRules(desk, found)
    await expectMails(desk, traffic, found)
    await expectAudit(desk, traffic)
    await expectRest(desk)
    // The desk was really in use.
    expect(found.tickets.length).toBeGreaterThan(tickets * 0.8)
    expect(found.tickets.filter((one) => one.first_breached_at !== null).length).toBeGreaterThan(0)
    expect(traffic.duels).toBeGreaterThan(0)
    expect(traffic.refused).toBeGreaterThan(0)
  } catch (error) {
    console.error(`LODGE_DESK_SEED=${seed} LODGE_DESK_TICKETS=${tickets} repeats it`)
    throw error
  }
})

/** The part of all that belongs to a step. */
const share = (all: number, step: number): number =>
  Math.floor((all * (step + 1)) / STEPS) - Math.floor((all * step) / STEPS)

/** Does the work in its order, some of it concurrently. */
async function atOnce(work: (() => Promise<void>)[]): Promise<void> {
  const left = work[Symbol.iterator]()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await one()
    }),
  )
}
