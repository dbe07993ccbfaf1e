import type { ServerObserved } from '@lodge/proto/server.ts'
import { contextFor } from '../../../context.ts'
import { announceDesired } from '../../../fleet/store.ts'
import type { Services } from '../../../services.ts'
import {
  agentIsAhead,
  comparedNodes,
  findNode,
  hasBeenSetBack,
  lockSetBacks,
  lookAtDatabase,
  noteCompared,
} from '../../nodes/index.ts'
import { compareInventory, findingOf } from './compare.ts'
import { countFindings, lockKnown, renewFinding, saveFindings } from './findings-store.ts'

/**
 * Compares the inventory of a node with the database, once after each set-back. Before that nothing
 * is sent to the node; afterwards everything but what differs, which waits for an operator.
 */
export async function compareIfDue(
  services: Services,
  nodeId: string,
  seen: readonly ServerObserved[],
): Promise<void> {
  await lookAtDatabase(services)
  if (!hasBeenSetBack(services)) return
  if ((await comparedNodes(services.db, [nodeId])).has(nodeId)) return
  await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    const { db } = ctx
    const setBacks = await lockSetBacks(db)
    const known = await lockKnown(db, nodeId)
    if (!(await noteCompared(db, nodeId, setBacks))) return
    const findings = compareInventory(known, seen)
    await saveFindings(db, nodeId, findings)
    await announceDesired(db, nodeId)
    await ctx.live.announceAll(
      db,
      'server',
      findings.filter(({ kind }) => kind !== 'unknown').map(({ serverId }) => serverId),
    )
    if (findings.length === 0) return
    const node = await findNode(db, nodeId)
    const [mine] = (await countFindings(db)).filter((one) => one.nodeId === nodeId)
    if (!node || !mine) return
    await ctx.emit('state.rollback_detected', {
      ...{ nodeId, name: node.name, servers: findings.length },
      names: mine.names.join(', '),
    })
  })
}

/**
 * A node reports generations of servers that the database has not given out yet, so the database is
 * older than the node. What is known to differ is only noted again.
 */
export async function takeAhead(
  services: Services,
  nodeId: string,
  ahead: readonly ServerObserved[],
): Promise<void> {
  const fresh: ServerObserved[] = []
  for (const one of ahead)
    if (!(await renewFinding(services.db, nodeId, findingOf('newer', one)))) fresh.push(one)
  if (fresh.length === 0) return
  // Its inventory is about to be compared as a whole.
  if (!(await comparedNodes(services.db, [nodeId])).has(nodeId)) return
  await agentIsAhead(services, nodeId, { nodeEpoch: 0, acknowledgedReport: 0 })
}
