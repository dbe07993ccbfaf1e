import type { Report } from '@lodge/proto/fleet.ts'
import { GUARDS_MACHINES, HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { repairableAlone } from '../../../db/database.ts'
import { batched } from '../../../fleet/batched.ts'
import type { FleetHandlers } from '../../../fleet/handlers.ts'
import type { Services } from '../../../services.ts'
import {
  type Arrival,
  agentIsAhead,
  type Beat,
  type Claim,
  clockAheadMs,
  desiredNodes,
  directWay,
  epochsOfCredentials,
  isAgentAhead,
  markOf,
  nodeSessions,
} from '../../nodes/index.ts'
import { desiredStatesOfNodes, desiredStatesOfServers } from '../desired-state/desired.ts'
import { forgetGuards, renewMachineGuards } from '../failover-store.ts'
import { compareIfDue } from '../set-back/found.ts'
import { sendableTo } from '../set-back/withheld.ts'
import { type Inventory, takeInventories, takeObservations } from './observe.ts'
import { takeProgress } from './progress.ts'
import { type NodeReports, type TakeMetrics, takeReports } from './reports.ts'

const alone = repairableAlone
/** Nobody waits for samples and heartbeats, so those of many nodes are written together. */
const SAMPLES = { waitMs: 500, most: 500, alone }
const BEATS = { waitMs: 400, most: 1000, alone }
/** A person may be waiting for these, so only what arrives during a running call is batched. */
const ARRIVALS = { waitMs: 2, most: 200, alone }
const DESIRED = { waitMs: 0, most: 500, alone }
/** Whole nodes with all their servers. */
const NODES = { waitMs: 2, most: 50, alone }

/**
 * Implements the agent protocol for nodes and servers, batching messages of many agents into few
 * statements.
 * @param services lazy, because the fleet itself is one of them
 */
export function fleetHandlers(services: () => Services, metrics: TakeMetrics): FleetHandlers {
  const node = () => nodeSessions(services())
  /** Clock offsets of the nodes connected to this instance. */
  const clocks = new Map<string, { sessionId: string; aheadMs: number }>()

  const authenticate = batched(
    (claims: readonly Claim[]) => epochsOfCredentials(services().db, claims),
    ARRIVALS,
  )
  const arrive = batched(async (all: readonly Arrival[]) => {
    const unguarded = all.filter(({ hello }) => !hello.capabilities.includes(HOLDS_LEASES))
    // Before the arrival is recorded: a node that is lost right after it is judged by this.
    if (unguarded.length > 0)
      await forgetGuards(
        services().db,
        unguarded.map(({ nodeId }) => nodeId),
      )
    const [guarding = [], others = []] = [true, false].map((guards) =>
      all
        .filter(({ hello }) => hello.capabilities.includes(GUARDS_MACHINES) === guards)
        .map(({ nodeId }) => nodeId),
    )
    await renewMachineGuards(services().db, { guarding, others })
    return node().connected(all)
  }, ARRIVALS)
  const leave = batched(
    (all: readonly { nodeId: string; sessionId: string }[]) => node().disconnected(all),
    ARRIVALS,
  )
  const beat = batched((all: readonly Beat[]) => node().heartbeats(all), BEATS)
  // One after the other: nobody waits for one node with the row of another locked.
  const lateBeat = batched(
    async ([one]: readonly Beat[]) => (one ? [await node().lateHeartbeat(one)] : []),
    { waitMs: 0, most: 1 },
  )
  const desiredNodeOf = batched((ids: readonly string[]) => desiredNodes(services().db, ids), NODES)
  const desiredStatesOf = batched(async (ids: readonly string[]) => {
    const desiredStates = await desiredStatesOfNodes(services(), ids)
    const sendable = await sendableTo(services(), ids)
    return ids.map((id) => ({
      states: (desiredStates.get(id) ?? []).filter(({ serverId }) =>
        sendable.mayHave(id, serverId),
      ),
      isWhole: sendable.isWhole(id),
    }))
  }, NODES)
  const desiredFor = batched(async (ids: readonly string[]) => {
    const desiredStates = await desiredStatesOfServers(services(), ids)
    const nodes = [...new Set([...desiredStates.values()].map((one) => one.node))]
    const sendable = await sendableTo(services(), nodes)
    return ids.map((id) => {
      const found = desiredStates.get(id)
      return found && { ...found, isSendable: sendable.mayHave(found.node, id) }
    })
  }, DESIRED)
  const inventory = batched(async (all: readonly Inventory[]) => {
    for (const { nodeId, seen } of all) await compareIfDue(services(), nodeId, seen)
    await takeInventories(services(), all)
    await node().inventoryTaken(all.map(({ nodeId }) => nodeId))
    return all.map(() => undefined)
  }, NODES)
  const take = batched(
    (all: readonly NodeReports[]) => takeReports(services(), all, metrics),
    SAMPLES,
  )

  return {
    authenticate: (nodeId, credential) => authenticate({ nodeId, credential }),

    async connected(nodeId, hello, session) {
      const aheadMs = clockAheadMs(hello)
      const welcome = await arrive({ nodeId, hello, session })
      if (!welcome) throw gone(nodeId)
      if (isAgentAhead(markOf(hello), welcome)) {
        await agentIsAhead(services(), nodeId, markOf(hello))
        throw new Error(`node ${nodeId} knows more than the database: it connects again`)
      }
      clocks.delete(nodeId)
      if (aheadMs !== undefined) clocks.set(nodeId, { sessionId: session.id, aheadMs })
      return welcome
    },

    async disconnected(nodeId, sessionId) {
      if (clocks.get(nodeId)?.sessionId === sessionId) clocks.delete(nodeId)
      await leave({ nodeId, sessionId })
    },

    async heartbeat(nodeId, sessionId, said) {
      const given = { nodeId, sessionId, beat: said }
      const heard = await beat(given)
      return heard.kind === 'later' ? lateBeat(given) : heard
    },
    fenceProof: (nodeId, sessionId, proof) => node().fenceProof(nodeId, sessionId, proof),
    desiredNode: desiredNodeOf,
    directWay: (hostId, guestId) => directWay(services().db, hostId, guestId),
    desired: desiredStatesOf,

    async desiredOne(nodeId, serverId) {
      const found = await desiredFor(serverId)
      if (found?.node !== nodeId) return undefined
      return found.isSendable ? found.desired : 'withheld'
    },

    observed: (nodeId, seen, complete) =>
      complete ? inventory({ nodeId, seen }) : takeObservations(services(), nodeId, seen),
    progress: (nodeId, all) => takeProgress(services(), nodeId, all),

    async reports(nodeId, reports) {
      const clock = clocks.get(nodeId)
      const received = { nodeId, reports, ...(clock && { clockAheadMs: clock.aheadMs }) }
      const applied = await take(received, reports.some(isEvent))
      if (applied === undefined) throw gone(nodeId)
      return applied
    },
  }
}

const gone = (nodeId: string): Error => new Error(`node ${nodeId} has been removed`)

/** A person may be watching what happened. */
const isEvent = ({ content }: Report): boolean =>
  content?.$case === 'serverEvent' || content?.$case === 'scheduleRun'
