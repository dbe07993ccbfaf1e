import { randomUUIDv7 } from 'node:crypto'
import { isTooMuch } from '@lodge/shared/leases/limit.ts'
import { contextFor } from '../../context.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { fenceSilent, type WatchedNode, watchedNodes } from '../nodes/index.ts'
import { autoServers } from '../servers/index.ts'
import {
  ANY_AUTO,
  insertTakeover,
  isInOffice,
  readOffice,
  recentTakeovers,
  renewOffice,
  saveStopped,
  takeOffice,
  whyStopped,
} from './office-store.ts'
import { LostNodes, recoverFenced } from './recover.ts'
import { Watch } from './watch.ts'

/**
 * Watches the leases of all nodes, takes over those that were silent for too long, and brings back
 * their servers. Every second on every instance; only the coordinator does anything.
 */
export function coordinate() {
  let watch: Watch | undefined
  const lost = new LostNodes()
  return watcher('failover.coordinate', ANY_AUTO, async (services) => {
    const { db, fleet } = services
    watch ??= new Watch(fleet.leaseTimes)
    const term = await termOf(services, watch)
    if (term === undefined) return { taken: 0, begun: 0 }
    const nodes = await watchedNodes(db)
    const due = await dueOf(services, watch, nodes)
    let taken = 0
    for (const node of due) if (await takeOver(services, node, term)) taken += 1
    return { taken, begun: await recoverFenced(services, lost, performance.now()) }
  })
}

/** Nodes to be taken over now: none if there are too many of them. */
async function dueOf(
  services: Services,
  watch: Watch,
  nodes: readonly WatchedNode[],
): Promise<readonly WatchedNode[]> {
  const { db, fleet } = services
  const nowMs = performance.now()
  watch.look(nodes, nowMs)
  const over = nodes.filter((node) => node.isTakeable && watch.isOver(node, nowMs))
  const ids = over.map(({ id }) => id)
  const auto = ids.length === 0 ? [] : await autoServers(db, ids)
  const due = over.filter(({ id }) => auto.some(({ nodeId }) => nodeId === id))
  const known = {
    nodes: nodes.length,
    heard: nodes.filter((node) => watch.isHeard(node, nowMs)).length,
    due: due.length,
    recent: due.length === 0 ? 0 : await recentTakeovers(db, fleet.leaseTimes.limitWindowMs),
  }
  const isStopped = watch.isStopped(isTooMuch(known), nowMs)
  await tellStopped(services, isStopped ? due : [])
  return isStopped ? [] : due
}

/** The term of this instance as the coordinator; undefined if another one is. */
async function termOf({ db, fleet }: Services, watch: Watch): Promise<number | undefined> {
  const { instanceId } = fleet
  const office = await readOffice(db)
  const step = watch.officeStep(instanceId, office, performance.now())
  if (step === 'renew')
    return (await renewOffice(db, instanceId, office.term)) ? office.term : undefined
  if (step === 'take' && (await takeOffice(db, instanceId, office))) return office.term + 1
  return undefined
}

/** The term is checked by the transaction, the renewal by the statement that takes over. */
async function takeOver(services: Services, node: WatchedNode, term: number): Promise<boolean> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const epoch = await ctx.transaction(async (ctx) => {
    if (!(await isInOffice(ctx.db, ctx.fleet.instanceId, term))) return undefined
    const epoch = await fenceSilent(ctx.db, node)
    if (epoch === undefined) return undefined
    const { id: nodeId, name, renewSeq } = node
    await insertTakeover(ctx.db, {
      id: randomUUIDv7(),
      nodeId,
      nodeName: name,
      epoch,
      renewSeq,
      term,
    })
    await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    await ctx.live.announce(ctx.db, { kind: 'node-servers', id: nodeId })
    await ctx.emit('failover.taken-over', { nodeId, name })
    return epoch
  })
  if (epoch === undefined) return false
  await services.fleet.disconnectNode(node.id, epoch)
  return true
}

/** Calls a person once when more nodes are silent than may be taken over. */
async function tellStopped(services: Services, due: readonly WatchedNode[]): Promise<void> {
  const names = due.map(({ name }) => name).join(', ')
  const why =
    due.length === 0
      ? null
      : `No other node is heard, or too many are silent at once: ${names}. Check the network of the control plane first, then declare dead the nodes that are`
  const before = await whyStopped(services.db)
  if (before === why) return
  const ctx = contextFor(services, { kind: 'system' } as const)
  await ctx.transaction(async (ctx) => {
    // Which nodes they are changes while they fall silent one after the other.
    if ((await saveStopped(ctx.db, why)) && before === null)
      await ctx.emit('failover.stopped', { nodes: due.length, names })
  })
}
