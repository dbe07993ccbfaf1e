import type { Granting } from '@lodge/shared/leases/outstanding.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { NodeRow } from './tables.ts'

/** How long the leases are that a node is granted, as an expression on rows of `nodes`. */
export const grantedTtl = (alias: 'n' | 'nodes'): string =>
  `greatest(${alias}.lease_ttl_ms, ${alias}.lease_extended_ttl_ms)`

/** The same for a row that was read. */
export const grantedTtlMs = (node: Pick<NodeRow, 'leaseTtlMs' | 'leaseExtendedTtlMs'>): number =>
  Math.max(node.leaseTtlMs, node.leaseExtendedTtlMs ?? 0)

/** Lets all nodes be granted leases of this length, or their own again (null). */
export async function extendLeases(db: Db, ttlMs: number | null): Promise<void> {
  await db.execute(sql`
    with held as materialized (
      select id from nodes where lease_extended_ttl_ms is distinct from ${ttlMs}::int
      order by id for no key update)
    update nodes set lease_extended_ttl_ms = ${ttlMs}::int,
      lease_ttl_revision = lease_ttl_revision + 1
    from held where nodes.id = held.id`)
}

/**
 * No lease of a node is longer than those that it is granted now: somebody has waited for the others to
 * end. Nothing happens if anything has changed about them since that was seen.
 */
export async function forgetLonger(
  db: Db,
  id: string,
  { epoch, ttlRevision, ttlMs, longestTtlMs }: Granting,
): Promise<void> {
  const granted = sql.raw(grantedTtl('nodes'))
  await db.execute(sql`
    update nodes set lease_longest_ttl_ms = ${granted}, revision = revision + 1
    where id = ${id}::uuid and epoch = ${epoch} and lease_ttl_revision = ${ttlRevision}::bigint
      and ${granted} = ${ttlMs} and lease_longest_ttl_ms = ${longestTtlMs}`)
}
