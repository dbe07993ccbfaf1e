import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { nodes } from './tables.ts'

/**
 * How long a node may be away before moves to it are given up: longer than a machine takes to boot,
 * since a move whose target returns in time continues where it was.
 */
const LOST_AFTER_SECONDS = 600

/**
 * Whether a node is no longer waited for, as a condition on rows of `nodes`: it was declared dead or
 * taken over, or has been away for too long. That says nothing about what still runs there.
 */
export const LOST = `(nodes.fenced_at is not null or not ${ONLINE} and
  coalesce(nodes.last_seen_at, nodes.created_at)
    < statement_timestamp() - interval '${LOST_AFTER_SECONDS} seconds')`

/** Whether this node is no longer waited for; true for one that was removed. */
export async function isLost(db: Db, nodeId: string): Promise<boolean> {
  const [row] = await db
    .select({ lost: sql<boolean>`${sql.raw(LOST)}` })
    .from(nodes)
    .where(eq(nodes.id, nodeId))
  return row?.lost ?? true
}
