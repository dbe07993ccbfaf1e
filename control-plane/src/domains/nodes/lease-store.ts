import type { Granting } from '@lodge/shared/leases/outstanding.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { NodeRow } from './tables.ts'

/** Time to live of the leases that a node is granted, as an expression on rows of `nodes`. */
export const grantedTtl = (alias: 'n' | 'nodes'): string =>
  `greatest(${alias}.lease_ttl_ms, ${alias}.lease_extended_ttl_ms)`

/** The same for a row that was read. */
export const grantedTtlMs = (node: Pick<NodeRow, 'leaseTtlMs' | 'leaseExtendedTtlMs'>): number =>
  Math.max(node.leaseTtlMs, node.leaseExtendedTtlMs ?? 0)

/** Sets the time to live of all nodes' leases, or returns it to their own (null). */
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
 * Forgets longer leases of a node after the caller has waited for their end. Does nothing if its
 * leases have changed since the caller looked.
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
