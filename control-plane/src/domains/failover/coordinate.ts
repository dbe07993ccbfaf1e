import { randomUUIDv7 } from 'node:crypto'
import type { FailoverMode } from '@lodge/shared/failover.ts'
import { isTooMuch } from '@lodge/shared/leases/limit.ts'
import { contextFor } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import {
  fenceSilent,
  forgetLonger,
  lookAtDatabase,
  type WatchedNode,
  watchedNodes,
} from '../nodes/index.ts'
import { type FailoverStand, movableServers } from '../servers/index.ts'
import { keepExtension } from './extension.ts'
import { askToFence, fencingsOf, isOff, lookAgain } from './fencing/fencing-store.ts'
import {
  ANY_MOVABLE,
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
 * Watches the leases of all nodes, takes over nodes that were silent for too long, and brings their
 * servers back. Runs every second on every instance; only the coordinator acts.
 */
export function coordinate() {
  let watch: Watch | undefined
  const lost = new LostNodes()
  return watcher('failover.coordinate', ANY_MOVABLE, async (services) => {
    const { db, fleet } = services
    watch ??= new Watch(fleet.leaseTimes)
    // Observations of a database that was set back since are worthless.
    if (await lookAtDatabase(services)) {
      watch.forget()
      return { taken: 0, begun: 0 }
    }
    const term = await termOf(services, watch)
    if (term === undefined) return { taken: 0, begun: 0 }
    await keepExtension(services)
    const nodes = await watchedNodes(db)
    const { due, off } = await dueOf(services, watch, nodes)
    for (const [id, seen] of watch.withoutLonger(performance.now()))
      await forgetLonger(db, id, seen)
    let taken = 0
    for (const node of due) if (await takeOver(services, node, term, false)) taken += 1
    for (const node of off) if (await takeOver(services, node, term, true)) taken += 1
    return { taken, begun: await recoverFenced(services, lost, performance.now()) }
  })
}

/**
 * Nodes to take over now: those whose leases have ended, or none if too many have, and those that
 * were seen to be off. For a node whose servers wait to see it off, requests that it is switched off,
 * unless too many are silent.
 */
async function dueOf(
  services: Services,
  watch: Watch,
  nodes: readonly WatchedNode[],
): Promise<{ readonly due: readonly WatchedNode[]; readonly off: readonly WatchedNode[] }> {
  const { db, fleet } = services
  const nowMs = performance.now()
  watch.look(nodes, nowMs)
  const silent = nodes.filter((node) => watch.isOver(node, nowMs))
  const ids = silent.map(({ id }) => id)
  const servers = ids.length === 0 ? [] : await movableServers(db, ids)
  const fencings = await fencingsOf(
    db,
    servers.map(({ nodeId }) => nodeId),
  )
  const has = (mode: FailoverMode, id: string) =>
    servers.some((server) => server.nodeId === id && server.mode === mode)
  const leased = silent.filter(
    ({ id, fenced, isTakeable }) => !fenced && isTakeable && has('auto', id),
  )
  const unasked = silent.filter(({ id }) => has('stonith', id) && !fencings.has(id))
  const due = new Set([...leased, ...unasked.filter(({ fenced }) => !fenced)])
  const known = {
    nodes: nodes.length,
    heard: nodes.filter((node) => watch.isHeard(node, nowMs)).length,
    due: due.size,
    recent:
      due.size === 0
        ? 0
        : await recentTakeovers(
            db,
            fleet.leaseTimes.limitWindowMs,
            [...due].map(({ id }) => id),
          ),
  }
  const isStopped = watch.isStopped(isTooMuch(known), nowMs)
  await tellStopped(services, isStopped ? [...due] : [])
  if (!isStopped)
    for (const { id, renewSeq } of unasked) await askToFence(db, { nodeId: id, renewSeq })
  return { due: isStopped ? [] : leased, off: await seenOff(db, silent, servers, fencings) }
}

/** Silent nodes that were just seen to be off; the others are checked again. */
async function seenOff(
  db: Db,
  silent: readonly WatchedNode[],
  servers: readonly FailoverStand[],
  fencings: Awaited<ReturnType<typeof fencingsOf>>,
): Promise<readonly WatchedNode[]> {
  const off: WatchedNode[] = []
  for (const node of silent) {
    const row = fencings.get(node.id)
    const isWanted = servers.some(({ nodeId, mode }) => nodeId === node.id && mode === 'stonith')
    if (!row || !isOff(row) || node.fenced || !isWanted) continue
    if (row.isFresh) off.push(node)
    else await lookAgain(db, row)
  }
  return off
}

/** This instance's term as the coordinator; undefined if another instance is the coordinator. */
async function termOf({ db, fleet }: Services, watch: Watch): Promise<number | undefined> {
  const { instanceId } = fleet
  const office = await readOffice(db)
  const step = watch.officeStep(instanceId, office, performance.now())
  if (step === 'renew')
    return (await renewOffice(db, instanceId, office.term)) ? office.term : undefined
  if (step === 'take' && (await takeOffice(db, instanceId, office))) return office.term + 1
  return undefined
}

/** The transaction checks the term, and the statement that takes over checks the renewal. */
async function takeOver(
  services: Services,
  node: WatchedNode,
  term: number,
  isOff: boolean,
): Promise<boolean> {
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
    await ctx.emit('failover.taken-over', { nodeId, name, isOff })
    return epoch
  })
  if (epoch === undefined) return false
  await services.fleet.disconnectNode(node.id, epoch)
  return true
}

/** Notifies operators once when more nodes are silent than may be taken over. */
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
    // The names change while nodes fall silent one after another: that is no news.
    if ((await saveStopped(ctx.db, why)) && before === null)
      await ctx.emit('failover.stopped', { nodes: due.length, names })
  })
}
