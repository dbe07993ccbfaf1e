import path from 'node:path'
import { LEASE_TIMES, takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import { ADMINISTRATOR } from '../../../test/real/support/http-caller.ts'
import { type DockerNode, startSecondNode } from '../../../test/real/support/joined-node.ts'
import { busyboxTemplate, type Machine, startMachine } from '../../../test/real/support/machine.ts'
import { allAre, endedJob } from '../../../test/real/support/servers.ts'
import { interleave, median, medianRatio, quantile } from '../measure/rounds.ts'
import type { Row } from '../row.ts'
import { cutPower } from '../stage/power-cut.ts'
import { startSwarm } from '../stage/swarm.fixture.ts'

const TTL_SECONDS = 30
const SCRIPT = 'echo ready; while :; do date +%s > /data/now; sleep 0.2; done'

/**
 * The power of a node is cut: how long until its server, with the files of its last backup, is shown
 * running on another node, compared with Docker Swarm, which starts an empty container there.
 */
export const failover: Row = {
  number: 19,
  name: 'failover',
  seconds: 3_600,
  async run(bench) {
    const machine = bench.ending.add(await startMachine(), dispose)
    const second = bench.ending.add(await startSecondNode(machine), dispose)
    await prepare(machine, second)
    bench.say('two nodes with Docker under leases')
    const swarm = await startSwarm(bench)
    bench.say('Docker Swarm: a manager and two workers')
    const { admin } = machine
    const { template } = await admin.must('POST /api/templates/import', {
      body: { document: { ...busyboxTemplate(SCRIPT) } },
    })
    const { id: ownerId } = await admin.must('GET /api/auth/me')
    let made = 0
    const rounds = bench.long ? 10 : 3
    const times = await interleave(rounds + 1, {
      swarm: () => swarm.failOver(),
      async ours() {
        const name = `Server ${++made}`
        const body = { name, ownerId, templateId: template.id, nodeId: second.id, start: true }
        const { serverId } = await admin.must('POST /api/servers', { body })
        const tookMs = await failOver(machine, second, serverId)
        // The long run outlasts what signing in confirms.
        await admin.must('POST /api/auth/step-up', { body: { password: ADMINISTRATOR.password } })
        const removed = await admin.must('DELETE /api/servers/{id}', { params: { id: serverId } })
        await endedJob(machine, removed.jobId)
        bench.say(`${name} runs elsewhere after ${(tookMs / 1000).toFixed(1)} s`)
        return tookMs
      },
    })
    // At first, the lease of a minute may still be in force that a node has unless another is chosen.
    const seconds = (all: readonly number[]) => all.slice(1).map((ms) => ms / 1000)
    const ours = seconds(times.ours)
    const theirs = seconds(times.swarm)
    const waitSeconds = takeoverDelayMs(LEASE_TIMES, TTL_SECONDS * 1000) / 1000
    return [
      {
        what: `power cut until the server runs elsewhere, lease of ${TTL_SECONDS} s: p95`,
        value: quantile(ours, 0.95),
        unit: 's',
        target: { atMost: 47 },
        peer: 'Nomad 20+ s, Proxmox 120+ s, Kubernetes 340 s; Swarm may run it twice',
        detail: { p50: median(ours), 'safe after s': waitSeconds, 'Swarm p50 s': median(theirs) },
      },
      {
        what: 'the same / Docker Swarm, which keeps no files and promises nothing of a copy that still runs',
        value: medianRatio(ours, theirs, (one) => one),
        unit: 'x',
      },
      {
        what: 'what it takes beyond the wait until the former copy has surely ended: median',
        value: median(ours) - waitSeconds,
        unit: 's',
        target: { atMost: 10 },
      },
    ]
  },
}

const dispose = (one: AsyncDisposable) => one[Symbol.asyncDispose]()

/** Both nodes are under leases, and the first keeps the backups of the second. */
async function prepare({ admin, nodeId }: Machine, second: DockerNode): Promise<void> {
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  await admin.must('PUT /api/settings/backups', {
    body: { ...settings, s3: null, place: 'other-node', storageNodeIds: [nodeId] },
  })
  for (const id of [nodeId, second.id])
    await admin.must('PUT /api/nodes/{id}/failover', {
      params: { id },
      body: { mode: 'auto', ttlSeconds: TTL_SECONDS },
    })
}

/** Cuts the power of the second node; ms until the panel shows the server running on the first. */
async function failOver(machine: Machine, second: DockerNode, id: string): Promise<number> {
  const { admin } = machine
  const params = { id }
  await allAre(machine, [id], 'running', 120_000)
  const { jobId } = await admin.must('POST /api/servers/{id}/backups', { params, body: {} })
  await endedJob(machine, jobId)
  const node = { params: { id: second.id } }
  await machine.until(
    'the server is guarded',
    async () => (await admin.must('GET /api/nodes/{id}/failover', node)).guarded === 1,
    60_000,
  )
  const beganMs = performance.now()
  await cutPower(second.network, path.dirname(second.engine.socketPath))
  await machine.until(
    'the server runs on the other node',
    async () => {
      const { status, nodeId } = await admin.must('GET /api/servers/{id}', { params })
      return status === 'running' && nodeId === machine.nodeId
    },
    180_000,
  )
  const tookMs = performance.now() - beganMs
  await second.engine.start()
  second.agent.start()
  // It is closed to new servers until a person has looked at it.
  await machine.until(
    'the second node is back',
    async () => (await admin.must('GET /api/nodes/{id}', node)).state === 'cordoned',
    120_000,
  )
  await admin.must('POST /api/nodes/{id}/uncordon', node)
  // More takeovers than nodes fail call a person instead: these are hours apart in earnest.
  await machine.database.query(`update takeovers set at = at - interval '1 day'`)
  return tookMs
}
