import { JOB_ENDED, type JobState } from '@lodge/shared/jobs.ts'
import type { ServerAction } from '@lodge/shared/servers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyOf, drawn } from '../../../drivers/contract/src/suite/chance.ts'
import { lengthOf } from '../../run/lengths.ts'
import { busyboxTemplate, type Machine, machineMissing, startMachine } from '../support/machine.ts'
import { allAre, disagreements, makeServers, openJobs } from '../support/servers.ts'

/** Total number of actions. */
const ACTIONS = lengthOf('LODGE_ENGINE_ACTIONS')
const SERVERS = 6

const WEIGHTED: readonly ServerAction[] = [
  ...['start', 'start', 'start', 'stop', 'stop', 'restart', 'restart', 'kill'],
  ...['reinstall', 'suspend', 'unsuspend', 'unsuspend'],
] as const satisfies readonly ServerAction[]

const missing = await machineMissing()

describe.skipIf(missing)('power on a real Docker engine', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await startMachine()
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  test(`${ACTIONS} random actions all end, and Docker matches the panel afterwards`, {
    timeout: 120_000 + ACTIONS * 1_000,
  }, async () => {
    // Sometimes ignores SIGTERM, and sometimes starts slowly.
    const script = [
      'case $(($(date +%s) % 3)) in 0) trap "" TERM;; 1) sleep 0.3;; esac',
      'echo ready; while :; do sleep 0.2; done',
    ].join('; ')
    const stop = [{ kind: 'signal' as const, signal: 'SIGTERM' as const, timeoutSeconds: 1 }]
    const { ids, jobs } = await makeServers(machine, busyboxTemplate(script, { stop }), SERVERS)
    await allAre(machine, ids, 'running', 120_000)
    const accepted = new Set(jobs)
    const statuses = new Map<number, number>()

    const actOn = async (id: string, count: number) => {
      for (let sent = 0; sent < count; sent += 1) {
        const action = anyOf(WEIGHTED)
        const answer = await machine.admin.call('POST /api/servers/{id}/actions', {
          params: { id },
          body: { action, confirm: true },
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 202) accepted.add(answer.body.jobId)
        // Some arrive while the previous one is running, some after it.
        if (drawn(0, 3) === 0) await ended(answer.body.jobId)
      }
    }
    const ended = (jobId: string | undefined) =>
      machine.until(`the job ${jobId} ends`, async () => {
        if (!jobId) return true
        const job = await machine.admin.must('GET /api/jobs/{id}', { params: { id: jobId } })
        return job.endedAt !== null
      })
    await Promise.all([...ids, ...ids].map((id) => actOn(id, Math.ceil(ACTIONS / SERVERS / 2))))

    expect([...statuses.keys()].filter((status) => ![202, 409].includes(status))).toEqual([])
    expect(accepted.size).toBeGreaterThan(ACTIONS / 4)
    await machine.until(
      'every job ends',
      async () => (await openJobs(machine)).length === 0,
      120_000,
    )
    const { rows } = await machine.database.query<{ id: string; state: JobState }>(
      'select id, state from jobs',
    )
    expect(new Set(rows.map(({ id }) => id))).toEqual(accepted)
    const ends = Map.groupBy(rows, ({ state }) => state)
    for (const state of ends.keys()) expect(JOB_ENDED).toContain(state)
    expect(ends.get('done')?.length).toBeGreaterThan(0)
    console.log([...ends].map(([state, of]) => `${state}: ${of.length}`).join(', '))

    await machine.until(
      'the panel says what Docker says',
      async () => (await disagreements(machine)).length === 0,
    )
    const containers = await machine.containers()
    const { items } = await machine.admin.must('GET /api/servers')
    for (const server of items) {
      const wanted = server.desiredPower === 'on' && server.holds.length === 0
      expect(containers.get(server.id)?.running ?? false, JSON.stringify(server)).toBe(wanted)
    }
  })
})
