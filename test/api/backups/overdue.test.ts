import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tellOverdue } from '../../../control-plane/src/domains/backups/protect.ts'
import { claimPrune } from '../../../control-plane/src/domains/backups/tidy-store.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

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

test('of a node without recent backups the host is told once a day, by whichever control plane', async () => {
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

test('a repository is pruned by one control plane at a time', async () => {
  const [id, owner, node] = [randomUUID(), await lodge.customer(), await lodge.joinedNode()]
  await lodge.database.pool.query(
    `insert into backup_repositories (id, owner_id, node_id, place, address, password, needs_prune)
     values ($1, $2, $3, 'node', 'node', '', true)`,
    [id, owner.id, node.id],
  )
  const { db } = lodge.controlPlane.services
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimPrune(db, id)))
  expect(claims.filter(Boolean)).toHaveLength(1)
})
