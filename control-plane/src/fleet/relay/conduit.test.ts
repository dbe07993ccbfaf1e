import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { expect, test } from 'vitest'
import { Problem } from '../../problem.ts'
import { createConduits } from './conduit.ts'
import { Ear } from './ear.fixture.ts'
import { createRelayRouter } from './relay-router.ts'

test('a connection that the agent opened is closed when asking it for one failed after all', async () => {
  const router = createRelayRouter(async () => 1)
  const fleetPort = http.createServer().on('upgrade', router.dialled).listen(0, '127.0.0.1')
  await once(fleetPort, 'listening')
  const { port } = fleetPort.address() as net.AddressInfo
  const dialled = Promise.withResolvers<Ear>()
  const open = createConduits({
    router,
    timeoutMs: 60_000,
    async ask(nodeId, { sessionId, ticket }) {
      const node = new Ear(net.connect(port, '127.0.0.1'))
      node.socket.write(
        `GET /agent/relay/${sessionId} HTTP/1.1\r\nHost: lodge\r\nConnection: Upgrade\r\nUpgrade: lodge-relay\r\nAuthorization: Bearer a-credential-of-a-node\r\nX-Node-ID: ${nodeId}\r\nX-Relay-Ticket: ${ticket}\r\n\r\n`,
      )
      await node.hears('101 Switching')
      dialled.resolve(node)
      throw new Problem('node_timeout', 'The node did not answer in time')
    },
  })
  const end = { nodeId: randomUUID(), serverId: randomUUID(), kind: 'files', mayWrite: false }
  await expect(open(end)).rejects.toMatchObject({ code: 'node_timeout' })
  await (await dialled.promise).closed
  fleetPort.close()
})
