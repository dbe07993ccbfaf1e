import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { specText } from '../../testing/agent.fixture.ts'
import { decideCrash, recentRestarts } from './crash.ts'
import { type Act, decide, type Situation } from './decide.ts'
import type { DesiredState } from './desired-state.ts'
import { desiredDocument, desiredFromDocument, readDesired } from './desired-state.ts'

const policies = fc.record({
  mode: fc.constantFrom('always' as const, 'on-failure' as const, 'never' as const),
  maxRestarts: fc.integer({ min: 0, max: 20 }),
  windowMinutes: fc.integer({ min: 1, max: 1440 }),
  backoffSeconds: fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: 1, maxLength: 10 }),
})
const exits = fc.record({
  code: fc.option(fc.integer({ min: 0, max: 255 })),
  signal: fc.constantFrom(null, 'SIGKILL' as const, 'SIGSEGV' as const),
  outOfMemory: fc.boolean(),
  at: fc.constant(new Date(0)),
})

describe('the crash policy', () => {
  it('never exceeds its restart limit within the window, however the server crashes', () => {
    fc.assert(
      fc.property(
        policies,
        fc.array(fc.tuple(exits, fc.integer({ min: 0, max: 7_200_000 })), { maxLength: 60 }),
        (policy, crashes) => {
          let nowMs = 1_000_000_000
          let restarts: number[] = []
          const all: number[] = []
          for (const [exit, laterMs] of crashes) {
            nowMs += laterMs
            const decision = decideCrash(policy, restarts, exit, nowMs)
            expect(decision.reason).toMatch(/^The server [^\n]+[^.]$/)
            if (decision.kind === 'stay') continue
            expect(policy.mode).not.toBe('never')
            nowMs += decision.waitSeconds * 1000
            restarts = [...recentRestarts(policy, restarts, nowMs), nowMs]
            all.push(nowMs)
          }
          for (const atMs of all) {
            const within = all.filter(
              (other) => other > atMs - policy.windowMinutes * 60_000 && other <= atMs,
            )
            expect(within.length).toBeLessThanOrEqual(policy.maxRestarts)
          }
        },
      ),
    )
  })

  it('waits as listed, then repeats the last delay', () => {
    const policy = {
      mode: 'always' as const,
      maxRestarts: 9,
      windowMinutes: 10,
      backoffSeconds: [5, 15, 60],
    }
    const exit = { code: 1, signal: null, outOfMemory: false, at: new Date(0) }
    const waits = [0, 1, 2, 3, 4].map((count) => {
      const decision = decideCrash(policy, Array(count).fill(1_000), exit, 2_000)
      return decision.kind === 'restart' ? decision.waitSeconds : undefined
    })
    expect(waits).toEqual([5, 15, 60, 60, 60])
  })

  it('restarts after exit code 0 only in mode always', () => {
    const exit = { code: 0, signal: null, outOfMemory: false, at: new Date(0) }
    const policy = { maxRestarts: 3, windowMinutes: 10, backoffSeconds: [1] }
    expect(decideCrash({ ...policy, mode: 'always' }, [], exit, 0).kind).toBe('restart')
    expect(decideCrash({ ...policy, mode: 'on-failure' }, [], exit, 0)).toMatchObject({
      kind: 'stay',
      exhausted: false,
    })
    expect(
      decideCrash({ ...policy, mode: 'on-failure' }, [], { ...exit, outOfMemory: true }, 0).kind,
    ).toBe('restart')
  })
})

function desiredOf(change: Partial<DesiredState> = {}): DesiredState {
  const desired = readDesired(
    {
      serverId: 's',
      generation: 1,
      power: 2,
      run: 1,
      install: 0,
      ending: 1,
      removed: false,
      crashPolicy: undefined,
      containerSpec: specText(),
      placementGeneration: 1,
    },
    null,
  )
  return { ...desired, ...change }
}

const situations: fc.Arbitrary<Situation> = fc.record({
  desired: fc.option(
    fc
      .record({
        power: fc.constantFrom('on' as const, 'off' as const),
        run: fc.integer({ min: 0, max: 3 }),
        install: fc.integer({ min: 0, max: 3 }),
        ending: fc.constantFrom('graceful' as const, 'kill' as const),
        removed: fc.boolean(),
      })
      .map(desiredOf),
  ),
  disowned: fc.boolean(),
  memory: fc.record({
    phase: fc.constantFrom(
      'stopped' as const,
      'starting' as const,
      'running' as const,
      'crashed' as const,
    ),
    run: fc.integer({ min: 0, max: 3 }),
    installed: fc.integer({ min: 0, max: 3 }),
    installFailed: fc.integer({ min: 0, max: 3 }),
    restartAtMs: fc.option(fc.integer({ min: 0, max: 100 })),
    appliedSpec: fc.constantFrom('', desiredOf().specHash),
    ownRunsBegun: fc.constant(0),
    gone: fc.boolean(),
  }),
  facts: fc.record({ exists: fc.boolean(), running: fc.boolean(), ended: fc.boolean() }),
  mayStart: fc.boolean(),
  leaseOver: fc.boolean(),
  isGuarded: fc.boolean(),
  retryAtMs: fc.option(fc.integer({ min: 0, max: 100 })),
  nowMs: fc.integer({ min: 0, max: 100 }),
})

describe('the next step for a server', () => {
  const holds = (check: (situation: Situation, act: Act) => void) =>
    fc.assert(
      fc.property(situations, (situation) => check(situation, decide(situation))),
      { numRuns: 2_000 },
    )

  it('starts only a server that should run, is not running, may start and needs no removal or installation', () => {
    holds(({ desired, facts, mayStart, memory }, act) => {
      if (act.kind !== 'start') return
      expect(desired).toMatchObject({ power: 'on', removed: false })
      expect([facts.running, mayStart]).toEqual([false, true])
      expect(desired!.install <= Math.max(memory.installed, memory.installFailed)).toBe(true)
    })
  })

  it('never leaves a server running that should be off, whatever else is going on', () => {
    holds(({ desired, facts }, act) => {
      if (desired?.power === 'off' && facts.running && !desired.removed)
        expect(act.kind).toBe('end')
    })
  })

  it('stops nothing that needs no lease before the control plane has sent its full list', () => {
    holds(({ desired, disowned, leaseOver, isGuarded }, act) => {
      const isEnded = leaseOver && isGuarded
      if (desired === null && !disowned && !isEnded) expect(act.kind).toBe('rest')
    })
  })

  it('waits only for a time in the future', () => {
    holds(({ nowMs }, act) => {
      if (act.kind === 'wait') expect(act.untilMs).toBeGreaterThan(nowMs)
    })
  })

  it('restarts a crashed server automatically only when due, but on request at any time', () => {
    holds(({ desired, memory, nowMs }, act) => {
      if (act.kind !== 'start' || memory.phase !== 'crashed' || desired!.run > memory.run) return
      expect(memory.restartAtMs).not.toBeNull()
      expect(nowMs).toBeGreaterThanOrEqual(memory.restartAtMs ?? 0)
    })
  })

  it('neither starts nor leaves running what has no lease', () => {
    holds(({ leaseOver, isGuarded, facts }, act) => {
      if (!leaseOver) return
      expect(act.kind).not.toBe('start')
      if (isGuarded && facts.running) expect(act).toMatchObject({ kind: 'end', how: 'kill' })
    })
  })

  it('converges once every requested step is done', () => {
    fc.assert(
      fc.property(situations, (start) => {
        let at = { ...start, mayStart: true }
        for (let steps = 0; steps < 12; steps += 1) {
          const act = decide(at)
          if (act.kind === 'rest') return
          at = done(at, act)
        }
        throw new Error(`no rest: ${JSON.stringify(at)}`)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The situation after a successful step. */
function done(at: Situation, act: Act): Situation {
  const { memory, facts, desired } = at
  const stopped = { exists: true, running: false, ended: false }
  switch (act.kind) {
    case 'remove':
      return { ...at, memory: { ...memory, gone: true }, facts: { ...stopped, exists: false } }
    case 'end':
      return { ...at, memory: { ...memory, phase: 'stopped', restartAtMs: null }, facts: stopped }
    case 'install':
      return {
        ...at,
        memory: { ...memory, phase: 'stopped', installed: desired!.install, installFailed: 0 },
      }
    case 'start':
      return {
        ...at,
        memory: {
          ...memory,
          phase: 'running',
          run: desired!.run,
          restartAtMs: null,
          appliedSpec: desired!.specHash,
        },
        facts: { exists: true, running: true, ended: false },
      }
    case 'apply':
      return { ...at, memory: { ...memory, appliedSpec: desired!.specHash } }
    case 'judge_end':
      return { ...at, memory: { ...memory, phase: 'crashed', restartAtMs: at.nowMs + 5 } }
    case 'wait':
      return { ...at, nowMs: act.untilMs }
    case 'await_confirmation':
      return { ...at, mayStart: true }
    case 'await_lease':
      return { ...at, leaseOver: false }
    case 'rest':
      return { ...at, facts }
  }
}

describe('a desired state', () => {
  it('survives a round trip through the journal', () => {
    const desired = desiredOf({ power: 'off', ending: 'kill', install: 4, run: 7, generation: 9 })
    expect(desiredFromDocument(desiredDocument(desired))).toEqual(desired)
  })

  it('still yields the power state when its document is damaged', () => {
    const damaged = readDesired(
      {
        serverId: 's',
        generation: 2,
        power: 1,
        run: 1,
        install: 0,
        ending: 2,
        removed: false,
        crashPolicy: undefined,
        containerSpec: '{"image":',
        placementGeneration: 1,
      },
      null,
    )
    expect(damaged).toMatchObject({
      power: 'off',
      ending: 'kill',
      spec: null,
      specFault: 'it is not JSON',
    })
  })
})
