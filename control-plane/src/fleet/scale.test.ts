import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { desiredFor, openFixture } from './fleet.fixture.ts'

const AGENTS = 200
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test(`${AGENTS} agents that connect at once all receive their desired states and later changes`, async () => {
  const fixture = await openFixture(database.application.pool)
  const servers = new Map<string, string>()
  for (let at = 0; at < AGENTS; at++) {
    const [nodeId, serverId] = [crypto.randomUUID(), crypto.randomUUID()]
    servers.set(nodeId, serverId)
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 1))
  }
  const agents = await Promise.all([...servers.keys()].map((nodeId) => fixture.connected(nodeId)))
  expect(fixture.fleet.metrics()).toMatchObject({ connectedNodes: AGENTS, sessionsOpened: AGENTS })
  for (const [nodeId, serverId] of servers) {
    fixture.domain.setDesired(nodeId, desiredFor(serverId, 2))
    fixture.fleet.wake(nodeId, serverId)
  }
  await Promise.all(
    agents.map((agent) => agent.next('desiredServer', ({ generation }) => generation === 2)),
  )
  for (const agent of agents) agent.close()
  await fixture.domain.until(() => fixture.fleet.connectedNodes().length === 0)
  await fixture.stop()
})
