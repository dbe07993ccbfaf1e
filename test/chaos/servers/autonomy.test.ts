import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  busyboxTemplate,
  type Machine,
  machineMissing,
  startMachine,
} from '../../real/support/machine.ts'
import { allAre, makeServers, openJobs, statusOf } from '../../real/support/servers.ts'

const missing = await machineMissing()

describe.skipIf(missing)('an agent without its control plane', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await startMachine()
  })
  afterAll(() => machine?.[Symbol.asyncDispose]())

  const events = async (id: string) =>
    (
      await machine.admin.must('GET /api/servers/{id}/events', {
        params: { id },
        query: { limit: 100 },
      })
    ).items

  test('restarts crashed servers while the control plane is down, and reports each restart once', async () => {
    const { ids } = await makeServers(
      machine,
      busyboxTemplate('echo ready; while :; do sleep 1; done'),
      2,
    )
    const [crashing = '', still = ''] = ids
    await allAre(machine, ids, 'running', 120_000)
    await machine.admin.must('PUT /api/servers/{id}/crash-policy', {
      params: { id: crashing },
      body: { mode: 'on-failure', maxRestarts: 2, windowMinutes: 60, backoffSeconds: [1] },
    })
    await machine.until('it is settled', async () => (await openJobs(machine)).length === 0)
    const stillBefore = (await machine.containers()).get(still)
    const reported = new Set((await events(crashing)).map((event) => event.id))

    await machine.panel.kill()
    for (let crash = 0; crash < 3; crash += 1) {
      const before = (await machine.containers()).get(crashing)
      expect(before?.running).toBe(true)
      process.kill(before?.pid ?? 0, 'SIGKILL')
      if (crash === 2) continue
      await machine.until(
        'the agent starts it again',
        () => machine.agent.output().match(/"event":"restarted"/g)?.length === crash + 1,
      )
    }
    await machine.until('it stays down after the third', () =>
      /"event":"gave_up"/.test(machine.agent.output()),
    )

    // Its reports survive a crash of the agent.
    await machine.agent.kill()
    machine.agent.start()
    const backAt = Date.now()
    machine.panel.start()
    await machine.until('all is up again', () => machine.isUp(backAt), 120_000)
    await machine.until('everything was told', async () =>
      (await events(crashing)).some(({ kind }) => kind === 'gave_up'),
    )
    // A second connection would expose duplicate reports.
    await machine.agent.kill()
    const again = Date.now()
    machine.agent.start()
    await machine.until('the agent is back', () => machine.isUp(again))

    const all = await events(crashing)
    const fresh = all.filter(({ id }) => !reported.has(id)).reverse()
    expect(fresh.map(({ kind }) => kind)).toEqual([
      'crashed',
      'restarted',
      'crashed',
      'restarted',
      'crashed',
      'gave_up',
    ])
    const times = fresh.map(({ at }) => Date.parse(at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(fresh[0]?.restart).toEqual({ attempt: 1, of: 2, waitSeconds: 1 })
    expect(fresh[0]?.exit?.signal).toBe('SIGKILL')
    // Until the agent has reported its servers, their state is unknown.
    await machine.until(
      'the states are known again',
      async () =>
        (await statusOf(machine, crashing)) === 'crashed' &&
        (await statusOf(machine, still)) === 'running',
    )
    expect((await machine.containers()).get(still)).toEqual(stillBefore)
  })

  test("an installation interrupted by the agent's death is repeated or fails", async () => {
    // The first attempt would take an hour; a later one finds its trace and is quick.
    const script = 'if [ -e begun ]; then echo again > done; else echo once > begun; sleep 3600; fi'
    const { ids } = await makeServers(
      machine,
      busyboxTemplate('cat /data/done; echo ready; while :; do sleep 1; done', {
        install: {
          image: { kind: 'registry', reference: 'lodge-test/busybox:1' },
          interpreter: ['sh'],
          script: `cd /mnt/server; ${script}`,
        },
      }),
      1,
    )
    const [id = ''] = ids
    const installers = () => machine.containers('install')
    await machine.until(
      'the installer runs',
      async () => (await installers()).get(id)?.running,
      120_000,
    )
    expect(await statusOf(machine, id)).toBe('installing')
    await machine.agent.kill()
    // It is unsupervised until then; its actions do not count.
    const since = Date.now()
    machine.agent.start()
    await machine.until('the agent is back', () => machine.isUp(since))
    const end = await machine.until(
      'the installation ends',
      async () => {
        const status = await statusOf(machine, id)
        return ['running', 'install_failed', 'crashed', 'stopped'].includes(status) && status
      },
      120_000,
    )
    await machine.until('the job ends', async () => (await openJobs(machine)).length === 0)
    const kinds = (await events(id)).map(({ kind }) => kind).reverse()
    if (end === 'running') expect(kinds.filter((kind) => kind === 'installed')).toHaveLength(1)
    else expect(kinds).toContain('install_failed')
    expect(kinds.indexOf('installed')).toBe(end === 'running' ? 0 : -1)
    expect((await installers()).size).toBe(0)
    if (end !== 'running') return
    const { lines } = await machine.admin.must('GET /api/servers/{id}/logs', { params: { id } })
    expect(lines.join('\n')).toContain('again')
  })
})
