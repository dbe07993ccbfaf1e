import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import { Problem } from '../../problem.ts'
import type { AgentEnd, RelayRouter } from './relay-router.ts'

/**
 * Opens a connection to a service of a node: the agent dials this instance, whichever instance holds
 * its stream.
 * @throws {Problem} node_unavailable, node_timeout
 */
export type OpenConduit = (end: AgentEnd) => Promise<Duplex>

export const createConduits =
  (given: {
    router: RelayRouter
    /** Asks the agent to dial. */
    ask: (nodeId: string, relay: Omit<RelayOpen, 'address'>, timeoutMs: number) => Promise<void>
    timeoutMs: number
  }): OpenConduit =>
  async (end) => {
    const { router, timeoutMs } = given
    const sessionId = randomUUID()
    const dialled = Promise.withResolvers<Duplex>()
    // Whichever comes first counts, the ask or the connection; the other must not crash the process.
    dialled.promise.catch(() => undefined)
    let wanted = true
    const giveUp = (problem: Problem) => {
      wanted = false
      router.forget(sessionId)
      dialled.reject(problem)
    }
    const timer = setTimeout(
      () => giveUp(new Problem('node_timeout', 'The node did not open the connection in time')),
      timeoutMs,
    )
    const ticket = router.expect(sessionId, end, {
      isWanted: () => wanted,
      accept(socket, early) {
        if (early.length > 0) socket.unshift(early)
        dialled.resolve(socket)
      },
    })
    try {
      const { nodeId, serverId, kind, mayWrite } = end
      await given.ask(
        nodeId,
        { sessionId, serverId, kind, ticket, mayWrite, person: '' },
        timeoutMs,
      )
      return await dialled.promise
    } catch (error) {
      giveUp(new Problem('node_unavailable', 'The node is not connected'))
      // The agent may have dialled before the request to do so was known to have arrived.
      void dialled.promise.then(
        (socket) => socket.destroy(),
        () => undefined,
      )
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
