import type { ServerObserved } from '@lodge/proto/server.ts'
import { contextFor } from '../../../context.ts'
import { announceDesired } from '../../../fleet/store.ts'
import type { Services } from '../../../services.ts'
import {
  comparedNodes,
  findNode,
  hasBeenSetBack,
  lockSetBacks,
  lookAtDatabase,
  noteCompared,
} from '../../nodes/index.ts'
import { lockServer } from '../store.ts'
import { compareInventory, findingOf } from './compare.ts'
import {
  addFinding,
  countFindings,
  lockKnown,
  renewFinding,
  saveFindings,
} from './findings-store.ts'

/** The most names in a notice; nobody reads more. */
const NAMED = 5

/**
 * Compares the inventory of a node with the database, once after each set-back. Before that nothing
 * is sent to the node; afterwards everything except what differs, which waits for an operator.
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
 * Handles generations in the inventory of a compared node that the database has never issued: it was
 * set back without anybody noticing. Only those servers wait, because a lying node must not affect
 * others.
 */
export async function takeAhead(
  services: Services,
  nodeId: string,
  ahead: readonly ServerObserved[],
): Promise<void> {
  await contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    const { db } = ctx
    const fresh: string[] = []
    for (const one of ahead) {
      const row = await lockServer(db, one.serverId)
      if (row?.nodeId !== nodeId || one.generation <= row.generation) continue
      if (await renewFinding(db, nodeId, findingOf('newer', one))) continue
      await addFinding(db, nodeId, findingOf('newer', one))
      await ctx.live.announce(db, { kind: 'server', id: row.id })
      fresh.push(row.name)
    }
    const node = fresh.length > 0 && (await findNode(db, nodeId))
    if (!node) return
    await ctx.emit('state.rollback_detected', {
      ...{ nodeId, name: node.name, servers: fresh.length },
      names: fresh.slice(0, NAMED).join(', '),
    })
  })
}

/** Updates the findings of servers that wait already. */
export async function renewAhead(
  services: Services,
  nodeId: string,
  ahead: readonly ServerObserved[],
): Promise<void> {
  for (const one of ahead) await renewFinding(services.db, nodeId, findingOf('newer', one))
}
