import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backupPeriodicTasks } from '../../../control-plane/src/domains/backups/periodic-tasks.ts'
import { tellOverdue } from '../../../control-plane/src/domains/backups/protect.ts'
import {
  claimPrune,
  endPrune,
  markForPrune,
} from '../../../control-plane/src/domains/backups/tidy-store.ts'
import type { Caller } from '../../support/caller.ts'
import { controlPlaneProcess } from '../../support/control-plane-process.ts'
import { startRealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected } from '../../support/vm-world.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const told = async () => {
  const { items } = await admin.must('GET /api/notifications', { query: {} })
  return items.filter(({ type }) => type === 'backup.overdue')
}

test('the host is notified of a node without recent backups once a day, by one of the control planes', async () => {
  const { pool } = lodge.database
  const [node, storage] = [await lodge.node(), await lodge.node()]
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const { serverId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: node.id, start: false },
  })
  await pool.query(
    `update servers set observed_state = 'stopped', created_at = now() - interval '4 days' where id = $1`,
    [serverId],
  )
  await admin.must('PUT /api/settings/backups', {
    body: {
      ...{ place: 'node', downloads: true, keepScheduled: 7, s3: null },
      storageNodeIds: [storage.id],
      protection: { place: 'other-node', everyHours: 24, keep: 1, nodeIds: [node.id] },
    },
  })
  const { services } = lodge.controlPlane
  await Promise.all([tellOverdue(services), tellOverdue(services)])
  await tellOverdue(services)
  expect(await told()).toHaveLength(1)

  // A day later.
  await pool.query(
    `update rate_limits set full_at = full_at - interval '1 day' where key like 'overdueBackups:%'`,
  )
  await tellOverdue(services)
  expect(await told()).toHaveLength(2)
})

/** A repository in which backups were deleted whose space has not been freed yet. */
async function repositoryToPrune(nodeId: string): Promise<string> {
  const [id, owner] = [randomUUID(), await lodge.customer()]
  const password = lodge.controlPlane.services.vault.seal('a long enough secret', {
    ...{ table: 'backup_repositories', id, column: 'password' },
  })
  await lodge.database.pool.query(
    `insert into backup_repositories (id, owner_id, node_id, place, address, password, needs_prune)
     values ($1, $2, $3, 'node', 'node', $4, true)`,
    [id, owner.id, nodeId, password],
  )
  return id
}
const repository = async (id: string) => {
  const { rows } = await lodge.database.pool.query<{ needs: boolean; taken: boolean }>(
    `select needs_prune as needs, pruned_at is not null as taken from backup_repositories where id = $1`,
    [id],
  )
  return rows[0]
}
const anHourLater = (id: string) =>
  lodge.database.pool.query(
    `update backup_repositories set pruned_at = pruned_at - interval '1 hour' where id = $1`,
    [id],
  )

test('a repository is pruned by one control plane at a time', async () => {
  const id = await repositoryToPrune((await lodge.joinedNode()).id)
  const { db } = lodge.controlPlane.services
  const claim = () => claimPrune(db, id)
  const claims = await Promise.all(Array.from({ length: 4 }, claim))
  const [mine = '', ...others] = claims.filter((one) => one !== undefined)
  expect(others).toEqual([])
  // Something is deleted meanwhile, whose space this prune must not count as freed.
  await markForPrune(db, id)
  await endPrune(db, id, mine)
  expect(await repository(id)).toEqual({ needs: true, taken: true })
  expect(await claim()).toBeUndefined()
  await anHourLater(id)
  await endPrune(db, id, (await claim()) ?? '')
  expect(await repository(id)).toEqual({ needs: false, taken: true })
})

test('a prune that hangs holds up no other node', async () => {
  const [slow, free] = [await lodge.joinedNode(), await lodge.joinedNode()]
  await using hanging = await startRealAgent(lodge, slow)
  await using other = await startRealAgent(lodge, free)
  for (const { nodeId } of [hanging, other]) await connected(lodge, nodeId)
  const held = Promise.withResolvers<void>()
  Object.assign(hanging.driver.backupStore, { prune: () => held.promise })
  const first = await repositoryToPrune(slow.id)
  const second = await repositoryToPrune(free.id)
  // The one that was never pruned comes first.
  await lodge.database.pool.query(
    `update backup_repositories set pruned_at = now() - interval '2 hours' where id = $1`,
    [second],
  )
  const prune = backupPeriodicTasks.find(({ name }) => name === 'backups.prune')
  const round = prune?.run(lodge.controlPlane.services)
  await until(async () => !(await repository(second))?.needs)
  expect(await repository(first)).toEqual({ needs: true, taken: true })
  held.resolve()
  expect(await round).toEqual({ pruned: 2 })
  expect(await repository(first)).toEqual({ needs: false, taken: true })
})

test('a repository whose control plane was killed while pruning is pruned by another one', async () => {
  const node = await lodge.joinedNode()
  await using agent = await startRealAgent(lodge, node)
  await connected(lodge, node.id)
  agent.driver.knobs.backupDelayMs = 600_000
  const id = await repositoryToPrune(node.id)
  await using other = await controlPlaneProcess(lodge)
  await other.start()
  // The node connected to this control plane does it for the other one.
  await until(async () => {
    const { rows } = await lodge.database.pool.query(
      `select from tasks where node_id = $1 and state = 'running'`,
      [node.id],
    )
    return rows.length > 0
  })
  await other.kill()
  expect(await repository(id)).toEqual({ needs: true, taken: true })
  agent.driver.knobs.backupDelayMs = 0
  // The former work ends with its agent, as it would at its deadline.
  await agent.close()
  await agent.connect()
  const prune = backupPeriodicTasks.find(({ name }) => name === 'backups.prune')
  await until(async () => {
    await anHourLater(id)
    await prune?.run(lodge.controlPlane.services)
    return !(await repository(id))?.needs
  })
})
