import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { nodes } from '../nodes/tables.ts'
import { type SupersededCopyRow, supersededCopies } from './tables.ts'

/** A newer copy on the same node replaces the record of an older one; a partial copy does not. */
export async function insertCopy(db: Db, row: typeof supersededCopies.$inferInsert): Promise<void> {
  const { serverName, placementGeneration, kind = 'container', partial = false } = row
  const { filesOn = null } = row
  const fresh = {
    ...{ serverName, placementGeneration, kind, partial, filesOn },
    ...{ stoppedAt: null, deletedAt: null, tries: 0, triedAt: null, failure: null },
  }
  await db
    .insert(supersededCopies)
    .values(row)
    .onConflictDoUpdate({
      target: [supersededCopies.serverId, supersededCopies.nodeId],
      set: { ...fresh, supersededAt: sql`now()`, tryAt: sql`now()` },
      setWhere: sql`not excluded.partial or ${supersededCopies.partial}
        or ${supersededCopies.deletedAt} is not null
        or ${supersededCopies.placementGeneration} < excluded.placement_generation`,
    })
}

/** Copies whose nodes fail to do what is due come first. */
export const listCopies = (
  db: Db,
  most: number,
): Promise<{ copy: SupersededCopyRow; nodeName: string }[]> =>
  db
    .select({ copy: supersededCopies, nodeName: nodes.name })
    .from(supersededCopies)
    .innerJoin(nodes, eq(nodes.id, supersededCopies.nodeId))
    .where(isNull(supersededCopies.deletedAt))
    .orderBy(
      sql`${supersededCopies.failure} is null`,
      desc(supersededCopies.supersededAt),
      asc(supersededCopies.serverId),
    )
    .limit(most)

/** The parts of these servers, from moves, that nodes still have to delete. */
export const partsOf = (db: Db, serverIds: readonly string[]): Promise<SupersededCopyRow[]> =>
  serverIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(supersededCopies)
        .where(
          and(
            inArray(supersededCopies.serverId, [...serverIds]),
            supersededCopies.partial,
            isNull(supersededCopies.deletedAt),
          ),
        )

/**
 * Claims copies on connected nodes that have not heard of them yet, and those whose time is over, the
 * longest due first, so that copies that keep failing block no others. A node that has connected
 * since its last attempt is retried immediately. A former copy stays while its server moves to its
 * node, where what arrives takes its place.
 * @param given.claimSeconds after which another instance takes a copy over
 */
export async function claimDueCopies(
  db: Db,
  given: { readonly keptDays: number; readonly claimSeconds: number; readonly most: number },
): Promise<SupersededCopyRow[]> {
  const { keptDays, claimSeconds, most } = given
  const due = sql`select c.server_id, c.node_id from superseded_copies c
      join nodes on nodes.id = c.node_id
    where ${sql.raw(ONLINE)} and c.deleted_at is null
      and (c.partial or c.stopped_at is null
        or c.stopped_at < now() - ${keptDays} * interval '1 day')
      and (c.try_at <= now() or nodes.connected_at > c.tried_at)
      and (c.partial or not exists (
        select from (select server_id, other_node_id from server_moves
          union all select server_id, other_node_id from vm_moves) m
        where m.server_id = c.server_id and m.other_node_id = c.node_id))
    order by c.try_at, c.server_id limit ${most} for update of c skip locked`
  return db
    .update(supersededCopies)
    .set({
      tries: sql`${supersededCopies.tries} + 1`,
      triedAt: sql`now()`,
      tryAt: afterSeconds(claimSeconds),
    })
    .where(sql`(${supersededCopies.serverId}, ${supersededCopies.nodeId}) in (${due})`)
    .returning()
}

/** By the database's clock, which alone decides what is due. */
export const afterSeconds = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

/** @returns whether the row is still about that copy */
export async function updateCopy(
  db: Db,
  { serverId, nodeId, placementGeneration }: SupersededCopyRow,
  change: PgUpdateSetSource<typeof supersededCopies>,
): Promise<boolean> {
  const rows = await db
    .update(supersededCopies)
    .set(change)
    .where(
      and(
        eq(supersededCopies.serverId, serverId),
        eq(supersededCopies.nodeId, nodeId),
        eq(supersededCopies.placementGeneration, placementGeneration),
        isNull(supersededCopies.deletedAt),
      ),
    )
    .returning({ id: supersededCopies.serverId })
  return rows.length > 0
}
