import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { type PgUpdateSetSource, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Db } from '../../db/database.ts'
import { deferredInsert } from '../../db/deferred-insert.ts'
import { prepared } from '../../db/prepared.ts'
import { type ServerRow, servers } from './tables.ts'

export const insertServer = (db: Db, row: typeof servers.$inferInsert): Promise<void> =>
  deferredInsert(db, servers, row)

export async function findServer(db: Db, id: string): Promise<ServerRow | undefined> {
  const [row] = await db.select().from(servers).where(eq(servers.id, id))
  return row
}

/** The server that came with a subscription. */
export async function idOfSubscription(db: Db, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: servers.id })
    .from(servers)
    .where(eq(servers.subscriptionId, id))
  return row?.id
}

/** The servers of these subscriptions, by the ids of the subscriptions. */
export async function serversOfSubscriptions(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: servers.id, subscriptionId: servers.subscriptionId })
    .from(servers)
    .where(inArray(servers.subscriptionId, [...ids]))
  return new Map(rows.map(({ id, subscriptionId }) => [subscriptionId ?? '', id]))
}

const lockedServer = prepared<ServerRow, { id: string }>(
  Object.keys(getTableColumns(servers)) as (keyof ServerRow)[],
  new QueryBuilder()
    .select()
    .from(servers)
    .where(eq(servers.id, sql.placeholder('id')))
    .for('no key update'),
)

/**
 * Container servers of templates with secret variables that were stored before those were
 * encrypted.
 */
export async function unsealedServers(db: Db, after: string, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select s.id from servers s
      join template_versions v on v.template_id = s.template_id and v.version = s.template_version
    where s.sealed is null and s.kind = 'container' and v.document @> '{"variables":[{"secret":true}]}'
      and s.id > ${after}::uuid
    order by s.id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/**
 * Locked until the transaction ends, because changes to the desired state depend on its current
 * value.
 */
export async function lockServer(db: Db, id: string): Promise<ServerRow | undefined> {
  const [row] = await lockedServer(db, { id })
  return row
}

/**
 * Every change to the desired state raises the generation, so an agent can never act on an older
 * one.
 */
export const updateDesired = (
  db: Db,
  id: string,
  change: Partial<ServerRow>,
): Promise<ServerRow | undefined> =>
  update(db, id, {
    ...change,
    generation: sql`${servers.generation} + 1`,
    // The former node's confirmation does not apply to the next one.
    ...(change.nodeId && { failoverRevision: sql`${servers.failoverRevision} + 1` }),
  })

/** A change that does not concern the node. */
export const updateServer = (
  db: Db,
  id: string,
  change: Partial<ServerRow>,
): Promise<ServerRow | undefined> => update(db, id, change)

async function update(
  db: Db,
  id: string,
  change: PgUpdateSetSource<typeof servers>,
): Promise<ServerRow | undefined> {
  const [row] = await db
    .update(servers)
    .set({ ...change, revision: sql`${servers.revision} + 1` })
    .where(eq(servers.id, id))
    .returning()
  return row
}

/**
 * Stores an observation newer than ours; undefined if it is not, or if the server is not on that
 * node.
 */
export async function updateObservation(
  db: Db,
  nodeId: string,
  id: string,
  observation: number,
  inventory: boolean,
  change: PgUpdateSetSource<typeof servers>,
): Promise<ServerRow | undefined> {
  const newer = inventory ? undefined : sql`${servers.observation} < ${observation}`
  const [row] = await db
    .update(servers)
    .set({
      ...change,
      ...(change.restartRequired === false && { heldPorts: heldAfter(change.settledGeneration) }),
      observation,
      observedAt: sql`now()`,
      revision: sql`${servers.revision} + 1`,
    })
    .where(and(eq(servers.id, id), eq(servers.nodeId, nodeId), newer))
    .returning()
  return row
}

const heldAfter = (settled: PgUpdateSetSource<typeof servers>['settledGeneration']) =>
  sql`case when ${servers.heldPortsUntil} > ${settled} then ${servers.heldPorts} else '{}' end`

export type ObservedRow = Awaited<ReturnType<typeof observedOfNodes>>[number]

/** Stored observations of these nodes' servers, in the fields an agent reports. */
export const observedOfNodes = (db: Db, nodeIds: readonly string[]) =>
  db
    .select({
      id: servers.id,
      nodeId: servers.nodeId,
      generation: servers.generation,
      observation: servers.observation,
      observedState: servers.observedState,
      observedGeneration: servers.observedGeneration,
      settledGeneration: servers.settledGeneration,
      guardedRevision: servers.guardedRevision,
    })
    .from(servers)
    .where(sql`${servers.nodeId} = any(${`{${nodeIds.join(',')}}`}::uuid[])`)

export async function deleteServer(db: Db, id: string): Promise<void> {
  await db.delete(servers).where(eq(servers.id, id))
}

/** The servers of an owner, in the order in which they are locked. */
export async function serverIdsOf(db: Db, ownerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(eq(servers.ownerId, ownerId))
    .orderBy(asc(servers.id))
  return rows.map((row) => row.id)
}

/** Servers whose cooling-off period has passed, oldest first. */
export async function dueDeletions(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(
      // Except servers with a finding: their deletion may have been undone.
      sql`${servers.deleteAt} < now() and not exists (select from server_holds h
        where h.server_id = ${servers.id} and h.kind = 'set-back')`,
    )
    .orderBy(asc(servers.deleteAt))
    .limit(50)
  return rows.map((row) => row.id)
}

/** A server that no node has reported yet: each node numbers its observations separately. */
export const NO_OBSERVATION = {
  observation: 0,
  observedState: 'absent',
  observedGeneration: 0,
  settledGeneration: 0,
  failure: null,
  restartAt: null,
  bootWaitsFor: null,
  guardedRevision: 0,
} as const satisfies Partial<ServerRow>
