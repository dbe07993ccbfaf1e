import { takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { describe, expect, it } from 'vitest'
import { isLong, lengthOf } from '../run/lengths.ts'
import { MUTANTS } from './mutants.ts'
import { RULES, type Rules } from './rules.ts'
import { type Outcome, simulate } from './simulate.ts'

// The real rules of leases under simulated clocks, network, database and machines. A failing seed is
// printed; `LODGE_LEASE_SEED=<seed> npm test -- test/leases` runs it alone.

const firstSeed = Number(process.env.LODGE_LEASE_SEED ?? 1)
const seeds = process.env.LODGE_LEASE_SEED ? 1 : lengthOf('LODGE_LEASE_SEEDS')
const MOST_SEEDS_OF_A_MUTANT = 1_000
const HOUR_MS = 3_600_000

describe('leases under faults', () => {
  it('never let a server run twice', { timeout: isLong ? 12 * HOUR_MS : 300_000 }, () => {
    let takeovers = 0
    let starts = 0
    let switchedOff = 0
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const outcome = simulate(seed, RULES)
      expect(outcome.doubleRun, `LODGE_LEASE_SEED=${seed} repeats it`).toBeNull()
      takeovers += outcome.takeovers
      starts += outcome.starts
      switchedOff += outcome.switchedOff
    }
    // The faults must have caused takeovers, and servers must have started.
    if (seeds > 100) {
      expect(takeovers).toBeGreaterThan(seeds)
      expect(starts).toBeGreaterThan(5 * seeds)
      expect(switchedOff).toBeGreaterThan(seeds / 4)
    }
  })

  it.each(Object.entries(MUTANTS))(
    'would let one run twice if the control plane or a node %s',
    { timeout: 300_000 },
    (_name, change) => {
      const found = firstDoubleRun({ ...RULES, ...change })
      expect(found).toBeDefined()
      // The same seed finds it again.
      expect(simulate(found!.seed, { ...RULES, ...change }).doubleRun).toEqual(found)
    },
  )

  it('bring the servers of a crashed machine back in time', () => {
    const late = takeoverDelayMs(RULES.times, RULES.times.ttlMs) + 5_000
    expect(p95(RULES)).toBeLessThan(late)
  })

  it('would strand servers that were moving if fenced nodes were checked only once', () => {
    const twice = 2 * takeoverDelayMs(RULES.times, RULES.times.ttlMs)
    expect(p95({ ...RULES, isLevelTriggered: false })).toBeGreaterThan(twice)
  })
})

function firstDoubleRun(rules: Rules): Outcome['doubleRun'] | undefined {
  for (let seed = 1; seed <= MOST_SEEDS_OF_A_MUTANT; seed++) {
    const { doubleRun } = simulate(seed, rules)
    if (doubleRun) return doubleRun
  }
  return undefined
}

/** How long the servers of crashed machines are down, without the slowest twentieth. */
function p95(rules: Rules): number {
  const times: number[] = []
  for (let seed = 1; seed <= 200; seed++) times.push(...simulate(seed, rules, 'crashes').awayMs)
  times.sort((a, b) => a - b)
  return times[Math.floor(0.95 * (times.length - 1))] ?? 0
}
