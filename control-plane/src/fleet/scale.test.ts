import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts'
import { openRig, wishFor } from './fleet.rig.ts'

const AGENTS = 200
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test(`${AGENTS} agents that connect at once all hear their wishes, and later changes`, async () => {
  const rig = await openRig(database.pool)
  const servers = new Map<string, string>()
  for (let at = 0; at < AGENTS; at++) {
    const [nodeId, serverId] = [crypto.randomUUID(), crypto.randomUUID()]
    servers.set(nodeId, serverId)
    rig.domain.wish(nodeId, wishFor(serverId, 1))
  }
  const agents = await Promise.all([...servers.keys()].map((nodeId) => rig.connected(nodeId)))
  expect(rig.fleet.metrics()).toMatchObject({ connectedNodes: AGENTS, sessionsOpened: AGENTS })
  for (const [nodeId, serverId] of servers) {
    rig.domain.wish(nodeId, wishFor(serverId, 2))
    rig.fleet.wake(nodeId, serverId)
  }
  await Promise.all(
    agents.map((agent) => agent.next('desiredServer', ({ generation }) => generation === 2)),
  )
  for (const agent of agents) agent.close()
  await rig.domain.until(() => rig.fleet.connectedNodes().length === 0)
  await rig.stop()
})
