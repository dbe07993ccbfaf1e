import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, getTableColumns, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import type { Position } from '../../db/cursor.ts'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { ONLINE } from '../../fleet/online.ts'
import { FENCED, fencedIf } from './fence-store.ts'
import { takesNew, type Workload } from './placement.ts'
import { type NodeRow, nodeEnrollments, nodes } from './tables.ts'

/** Whether a node is online, as a query field. */
export const nodeIsOnline = sql.raw(ONLINE) as SQL<boolean>

const nodeOf = prepared<NodeRow, { id: string }>(
  Object.keys(getTableColumns(nodes)) as (keyof NodeRow)[],
  new QueryBuilder()
    .select()
    .from(nodes)
    .where(eq(nodes.id, sql.placeholder('id'))),
)

export async function findNode(db: Db, id: string): Promise<NodeRow | undefined> {
  const [row] = await nodeOf(db, { id })
  return row
}

export const findNodes = (db: Db, ids: readonly string[]): Promise<NodeRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(nodes)
        .where(inArray(nodes.id, [...ids]))

/** Nodes that take virtual machines, by name. */
export const vmNodes = (db: Db): Promise<NodeRow[]> =>
  db
    .select()
    .from(nodes)
    .where(and(eq(nodes.vmEnabled, true), sql`${nodes.credentialHash} is not null`))
    .orderBy(asc(nodes.name), asc(nodes.id))

/** Nodes that have joined, by name. */
export const joinedNodes = (db: Db): Promise<NodeRow[]> =>
  db
    .select()
    .from(nodes)
    .where(sql`${nodes.credentialHash} is not null`)
    .orderBy(asc(nodes.name), asc(nodes.id))

export const listNodes = (
  db: Db,
  given: { after: Position | undefined; limit: number },
): Promise<NodeRow[]> =>
  db
    .select()
    .from(nodes)
    .where(
      given.after &&
        gt(sql`(${nodes.name}, ${nodes.id})`, sql`(${given.after[0]}, ${given.after[1]}::uuid)`),
    )
    .orderBy(asc(nodes.name), asc(nodes.id))
    .limit(given.limit + 1)

export async function insertNode(db: Db, row: typeof nodes.$inferInsert): Promise<NodeRow> {
  // For a new node: it has nothing yet that a set-back of the database could have lost.
  const comparedSetBack = sql`coalesce((select set_backs from database_lineage), 0)`
  const [inserted] = await db
    .insert(nodes)
    .values({ ...row, comparedSetBack })
    .returning()
  return inserted as NodeRow
}

/** Raises the revision, so that an open panel keeps the newest version. */
export async function updateNode(
  db: Db,
  id: string,
  change: Partial<NodeRow>,
): Promise<NodeRow | undefined> {
  const [row] = await db
    .update(nodes)
    .set({ ...change, revision: sql`${nodes.revision} + 1` })
    .where(eq(nodes.id, id))
    .returning()
  return row
}

/** Deletes only an empty node; false while it has servers. */
export async function deleteNode(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .delete(nodes)
    // Part of the statement, so no placement can slip in after the check.
    .where(and(eq(nodes.id, id), eq(nodes.allocatedServers, 0)))
    .returning({ id: nodes.id })
  return rows.length > 0
}

export async function findLocalNode(db: Db): Promise<NodeRow | undefined> {
  const [row] = await db.select().from(nodes).where(eq(nodes.local, true))
  return row
}

/** A new token invalidates the node's earlier ones. */
export async function replaceEnrollment(
  db: Db,
  nodeId: string,
  tokenHash: Buffer,
  expiresAt: Date,
): Promise<void> {
  await db
    .delete(nodeEnrollments)
    .where(and(eq(nodeEnrollments.nodeId, nodeId), isNull(nodeEnrollments.usedAt)))
  await db.insert(nodeEnrollments).values({ id: randomUUIDv7(), nodeId, tokenHash, expiresAt })
}

/** Redeems a token; of two concurrent uses only one succeeds. */
export async function redeemEnrollment(db: Db, tokenHash: Buffer): Promise<string | undefined> {
  const [row] = await db
    .update(nodeEnrollments)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(nodeEnrollments.tokenHash, tokenHash),
        isNull(nodeEnrollments.usedAt),
        gt(nodeEnrollments.expiresAt, sql`now()`),
      ),
    )
    .returning({ nodeId: nodeEnrollments.nodeId })
  return row?.nodeId
}

/** Ends the sessions of silent nodes, because the instance that held them may have died. */
export async function endSilentSessions(db: Db, silentSeconds: number): Promise<string[]> {
  const rows = await db
    .update(nodes)
    .set({
      sessionId: null,
      instanceId: null,
      connectedAt: null,
      revision: sql`${nodes.revision} + 1`,
    })
    .where(
      sql`${nodes.sessionId} is not null and ${nodes.lastSeenAt} < clock_timestamp() - make_interval(secs => ${silentSeconds})`,
    )
    .returning({ id: nodes.id })
  return rows.map((row) => row.id)
}

/**
 * Declares a disconnected node dead: its sessions and permits belong to an earlier epoch from now on,
 * and it is cordoned.
 * @returns its new epoch; undefined if it is connected
 */
export async function declareDead(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db
    .update(nodes)
    .set({ ...FENCED, fencedAt: fencedIf(sql`${nodes.capabilities}`) })
    .where(and(eq(nodes.id, id), sql`not ${nodeIsOnline}`))
    .returning({ epoch: nodes.epoch })
  return row?.epoch
}

/** Nodes offline long enough to notify the host, or back online since; each is reported once. */
export async function nodesToReport(
  db: Db,
  awaySeconds: number,
): Promise<{ id: string; name: string; away: boolean; servers: number }[]> {
  const { rows } = await db.execute<{
    id: string
    name: string
    away: boolean
    servers: number
  }>(sql`
    update nodes set told_offline = not told_offline
    where id in (select id from nodes where credential_hash is not null and last_seen_at is not null
        and case when told_offline then ${sql.raw(ONLINE)}
          else last_seen_at < statement_timestamp() - make_interval(secs => ${awaySeconds}) end
      order by id for no key update skip locked)
    returning id, name, told_offline as away, allocated_servers as servers`)
  return rows
}

/** Callers that take capacity or ports lock the node's row until commit. */
export async function lockNode(db: Db, id: string): Promise<void> {
  await db.select({ id: nodes.id }).from(nodes).where(eq(nodes.id, id)).for('no key update')
}

/** Nodes that take new workloads of this kind, with what they report about themselves. */
export const nodesThatTake = (db: Db, workload: Workload) =>
  db
    .select({ name: nodes.name, preflight: nodes.preflight })
    .from(nodes)
    .where(sql.raw(takesNew(workload)))

/** Names of the locations that take new servers. */
export async function listLocations(db: Db): Promise<string[]> {
  const rows = await db
    .select({ location: nodes.location })
    .from(nodes)
    .where(and(eq(nodes.cordoned, false), sql`${nodes.credentialHash} is not null`))
    .groupBy(nodes.location)
    .orderBy(asc(nodes.location))
  return rows.map((row) => row.location)
}
