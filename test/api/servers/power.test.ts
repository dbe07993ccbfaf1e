import type { ServerAction } from '@lodge/shared/servers.ts'
import { expect, test } from 'vitest'
import { anyOf, drawn } from '../../../drivers/contract/src/suite/chance.ts'
import { lengthOf } from '../../run/lengths.ts'
import { startRealAgent } from '../../support/real-agent.ts'
import { DOCUMENT, type JoinedNode, type Lodge, startLodge } from '../../support/stack.ts'
import { connected } from '../../support/vm-world.ts'

const ACTIONS = lengthOf('LODGE_POWER_ACTIONS')
const SERVERS = 10

const WEIGHTED: readonly ServerAction[] = [
  'start',
  'start',
  'start',
  'stop',
  'stop',
  'restart',
  'restart',
  'kill',
  'kill',
  'reinstall',
  'suspend',
  'unsuspend',
  'unsuspend',
]

const kinds: Readonly<
  Record<
    string,
    (lodge: Lodge, node: JoinedNode) => Promise<{ connect(): unknown; close(): unknown }>
  >
> = {
  'a quick and simple agent': async (lodge, node) => {
    const agent = await lodge.standIn(node)
    agent.slowMs = () => drawn(0, 12)
    return agent
  },
  'the agent itself': (lodge, node) =>
    startRealAgent(lodge, node, { startDelayMs: 3, applyDelayMs: 2 }),
}

test.for(Object.keys(kinds))(
  'no accepted job is dropped, for any sequence of actions and disconnections: %s',
  { timeout: 180_000 + ACTIONS * 100 },
  async (kind) => {
    await using lodge = await startLodge()
    await using beside = await lodge.beside()
    const admin = await lodge.admin()
    const template = await lodge.template({
      runtime: {
        ...DOCUMENT.runtime,
        proofOfLife: { patterns: [{ kind: 'text', value: 'ready' }] },
      },
    })
    const owner = await lodge.customer()
    const node = await lodge.joinedNode()
    const agent = await kinds[kind]?.(lodge, node)
    await connected(lodge, node.id)
    const made = await Promise.all(
      Array.from({ length: SERVERS }, (_, at) =>
        admin.must('POST /api/servers', {
          body: { name: `S${at}`, ownerId: owner.id, templateId: template.id, nodeId: node.id },
        }),
      ),
    )
    const accepted = new Set(made.map((answer) => answer.jobId))
    const callers = [admin, beside.anonymous({ cookie: admin.cookie ?? '' })]
    const statuses = new Map<number, number>()

    const sendMany = async (id: string, count: number) => {
      for (let sent = 0; sent < count; sent++) {
        const answer = await anyOf(callers).call('POST /api/servers/{id}/actions', {
          params: { id },
          body: { action: anyOf(WEIGHTED), confirm: true },
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status === 202) accepted.add(answer.body.jobId)
      }
    }
    let over = false
    const goAway = async () => {
      while (!over) {
        await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })
        if (drawn(0, 40) !== 0) continue
        await agent?.close()
        await agent?.connect()
      }
    }
    const away = goAway()
    // Two clients for every server.
    const clients = [...made, ...made].map((server) =>
      sendMany(server.serverId, Math.ceil(ACTIONS / SERVERS / 2)),
    )
    await Promise.all(clients)
    over = true
    await away

    expect([...statuses.keys()].filter((status) => ![202, 409, 503].includes(status))).toEqual([])
    expect(accepted.size).toBeGreaterThan(ACTIONS / 10)
    const open = async () => {
      const { rows } = await lodge.database.pool.query(
        'select kind, state, generation from jobs where ended_at is null',
      )
      return rows
    }
    await expect.poll(open).toEqual([])
    const { rows: jobs } = await lodge.database.pool.query<{
      id: string
      state: string
      failure: { code: string } | null
    }>('select id, kind, state, failure from jobs')
    expect(new Set(jobs.map((job) => job.id))).toEqual(accepted)
    // An action requested after an installation was killed, and before that was known, says so.
    const other = jobs.filter(
      ({ state, failure }) =>
        !['done', 'superseded'].includes(state) && failure?.code !== 'install_failed',
    )
    expect(other).toEqual([])
    expect(jobs.some(({ state }) => state === 'done')).toBe(true)

    // At rest every server matches its desired state, and only the holds that were set remain.
    const { rows: servers } = await lodge.database.pool.query(
      `select observed_state = case when desired_power = 'off' or exists (select 1 from server_holds h where h.server_id = s.id)
           then 'stopped' else 'running' end or (observed_state = 'absent' and desired_power = 'off') as rests,
         observed_state, desired_power, settled_generation = generation as settled
       from servers s`,
    )
    expect(servers).toHaveLength(SERVERS)
    for (const server of servers) expect(server).toMatchObject({ rests: true, settled: true })
    await agent?.close()
  },
)
