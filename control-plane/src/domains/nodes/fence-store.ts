import { isProof } from '@lodge/shared/leases/takeover.ts'
import { HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { grantedTtl } from './lease-store.ts'
import { COMPARED } from './set-back/lineage-store.ts'
import { type NodeRow, nodes } from './tables.ts'

/** What a coordinator reads about a node that has joined. */
export interface WatchedNode extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly epoch: number
  readonly renewSeq: number
  readonly ttlRevision: number
  /** Time to live of the leases that it is granted now. */
  readonly ttlMs: number
  readonly longestTtlMs: number
  readonly fenced: boolean
  /** Its agent holds leases. Each server's confirmed revision says whether the server is guarded. */
  readonly isTakeable: boolean
}

/** The renewals of all nodes that have joined. */
export async function watchedNodes(db: Db): Promise<WatchedNode[]> {
  const { rows } = await db.execute<WatchedNode>(sql`
    select id, name, epoch, renew_seq::float8 as "renewSeq",
      lease_ttl_revision::float8 as "ttlRevision", ${sql.raw(grantedTtl('nodes'))} as "ttlMs",
      lease_longest_ttl_ms as "longestTtlMs", fenced_at is not null as fenced,
      ${HOLDS_LEASES} = any(capabilities) and ${sql.raw(COMPARED)} as "isTakeable"
    from nodes where credential_hash is not null order by id`)
  return rows
}

/**
 * Takes a silent node over, unless it has renewed since that was decided: the statement that raises
 * the epoch also compares the counter, so a renewal and a takeover exclude each other (I1). It ends
 * the node's session and cordons the node.
 * @returns its new epoch; undefined if it was heard meanwhile
 */
export async function fenceSilent(
  db: Db,
  judged: { readonly id: string; readonly epoch: number; readonly renewSeq: number },
): Promise<number | undefined> {
  const [row] = await db
    .update(nodes)
    // No earlier lease is outstanding any more.
    .set({
      ...FENCED,
      leaseLongestTtlMs: sql.raw(grantedTtl('nodes')),
      fencedAt: sql`clock_timestamp()`,
    })
    .where(
      and(
        eq(nodes.id, judged.id),
        eq(nodes.epoch, judged.epoch),
        eq(nodes.renewSeq, judged.renewSeq),
        sql`${nodes.fencedAt} is null`,
      ),
    )
    .returning({ epoch: nodes.epoch })
  return row?.epoch
}

/** Columns that every fencing of a node sets. */
export const FENCED = {
  epoch: sql`${nodes.epoch} + 1`,
  cordoned: true,
  cordonedBecause: 'failover' as const,
  cordonedAt: sql`clock_timestamp()`,
  sessionId: null,
  instanceId: null,
  connectedAt: null,
  revision: sql`${nodes.revision} + 1`,
}

/**
 * Only an agent that holds leases can prove that no guarded server runs, and thereby lift the fence.
 */
export const fencedIf = (capabilities: SQL): SQL<Date | null> =>
  sql`case when ${HOLDS_LEASES} = any(${capabilities}) then clock_timestamp() end`

/**
 * Fenced nodes, and the longest lease that one of them may still hold. After a set-back of the
 * database, only nodes that were compared with it: servers of the others may be elsewhere.
 */
export const fencedNodes = (db: Db): Promise<{ id: string; longestTtlMs: number }[]> =>
  db
    .select({ id: nodes.id, longestTtlMs: nodes.leaseLongestTtlMs })
    .from(nodes)
    .where(sql`${nodes.fencedAt} is not null and ${sql.raw(COMPARED)}`)
    .orderBy(nodes.id)

/** Sets another failover mode or lease time to live. The mode's age counts from the last change. */
export async function setNodeFailover(
  db: Db,
  id: string,
  {
    before,
    mode,
    ttlMs,
  }: {
    /** The mode that the caller has seen; if it is another one by now, nothing changes. */
    readonly before: NodeRow['failoverMode']
    readonly mode: NodeRow['failoverMode']
    readonly ttlMs: number | undefined
  },
): Promise<NodeRow | undefined> {
  const [row] = await db
    .update(nodes)
    .set({
      failoverMode: mode,
      failoverModeSince: sql`case when ${nodes.failoverMode} is distinct from ${mode}::text
        then now() else ${nodes.failoverModeSince} end`,
      ...(ttlMs && { leaseTtlMs: ttlMs, leaseTtlRevision: sql`${nodes.leaseTtlRevision} + 1` }),
      revision: sql`${nodes.revision} + 1`,
    })
    .where(and(eq(nodes.id, id), eq(nodes.failoverMode, before)))
    .returning()
  return row
}

/**
 * Locks a node's row until the transaction ends: whether it is fenced, its epoch, and its last sign
 * of life.
 */
export async function lockFence(
  db: Db,
  id: string,
): Promise<{ epoch: number; fenced: boolean; renewSeq: number } | undefined> {
  const [row] = await db
    .select({ epoch: nodes.epoch, fencedAt: nodes.fencedAt, renewSeq: nodes.renewSeq })
    .from(nodes)
    .where(eq(nodes.id, id))
    .for('no key update')
  return row && { epoch: row.epoch, fenced: row.fencedAt !== null, renewSeq: row.renewSeq }
}

/**
 * Accepts a fenced node again once nothing guarded runs there. It stays cordoned: a person should
 * first find out why it was silent.
 * @returns whether it is accepted, now or before
 */
export async function acceptProof(
  db: Db,
  nodeId: string,
  sessionId: string,
  proof: { readonly epoch: number; readonly running: readonly string[] },
): Promise<boolean> {
  const [row] = await db
    .select({ epoch: nodes.epoch, fencedAt: nodes.fencedAt, sessionId: nodes.sessionId })
    .from(nodes)
    .where(eq(nodes.id, nodeId))
    .for('no key update')
  if (!row || row.sessionId !== sessionId) return false
  const fenced = row.fencedAt !== null
  if (!fenced) return row.epoch === proof.epoch
  if (!isProof({ epoch: row.epoch, fenced }, proof)) return false
  await db
    .update(nodes)
    .set({ fencedAt: null, revision: sql`${nodes.revision} + 1` })
    .where(eq(nodes.id, nodeId))
  return true
}
