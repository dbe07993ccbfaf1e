import type { HoldKind } from '@lodge/shared/servers.ts'
import { and, asc, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { type PgUpdateSetSource, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Position } from '../../db/cursor.ts'
import { type Db, isDuplicate } from '../../db/database.ts'
import { deferredInsert } from '../../db/deferred-insert.ts'
import { prepared, statement } from '../../db/prepared.ts'
import { Problem } from '../../problem.ts'
import {
  consoleTickets,
  type EventRow,
  type PortRow,
  type ServerRow,
  serverEvents,
  serverHolds,
  serverPorts,
  servers,
} from './tables.ts'

export const insertServer = (db: Db, row: typeof servers.$inferInsert): Promise<void> =>
  deferredInsert(db, servers, row)

export async function findServer(db: Db, id: string): Promise<ServerRow | undefined> {
  const [row] = await db.select().from(servers).where(eq(servers.id, id))
  return row
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
  update(db, id, { ...change, generation: sql`${servers.generation} + 1` })

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
  change: Partial<ServerRow>,
): Promise<ServerRow | undefined> {
  const newer = inventory ? undefined : sql`${servers.observation} < ${observation}`
  const [row] = await db
    .update(servers)
    .set({ ...change, observation, observedAt: sql`now()`, revision: sql`${servers.revision} + 1` })
    .where(and(eq(servers.id, id), eq(servers.nodeId, nodeId), newer))
    .returning()
  return row
}

export type ObservedRow = Awaited<ReturnType<typeof observedOfNodes>>[number]

/** Stored observations of these nodes' servers, in the fields an agent reports. */
export const observedOfNodes = (db: Db, nodeIds: readonly string[]) =>
  db
    .select({
      id: servers.id,
      nodeId: servers.nodeId,
      observation: servers.observation,
      observedState: servers.observedState,
      observedGeneration: servers.observedGeneration,
      settledGeneration: servers.settledGeneration,
    })
    .from(servers)
    .where(sql`${servers.nodeId} = any(${`{${nodeIds.join(',')}}`}::uuid[])`)

export async function deleteServer(db: Db, id: string): Promise<void> {
  await db.delete(servers).where(eq(servers.id, id))
}

export const portTaken = (port: number) =>
  new Problem(
    'port_unavailable',
    `Port ${port} is in use on this node: choose another one or leave it out`,
  )

export async function insertPorts(db: Db, rows: readonly PortRow[]): Promise<void> {
  for (const row of rows)
    await deferredInsert(db, serverPorts, row, (fault) =>
      isDuplicate(fault, 'server_ports_one_per_node') ? portTaken(row.hostPort) : undefined,
    )
}

const portsOf = prepared<PortRow, { serverId: string }>(
  Object.keys(getTableColumns(serverPorts)) as (keyof PortRow)[],
  new QueryBuilder()
    .select()
    .from(serverPorts)
    .where(eq(serverPorts.serverId, sql.placeholder('serverId')))
    .orderBy(asc(serverPorts.offset)),
)

export const listPorts = (db: Db, serverId: string): Promise<PortRow[]> => portsOf(db, { serverId })

/** Replaces the host port by one of another node. */
export async function movePort(
  db: Db,
  port: Pick<PortRow, 'serverId' | 'offset'>,
  to: Pick<PortRow, 'nodeId' | 'hostPort'>,
): Promise<void> {
  await db
    .update(serverPorts)
    .set(to)
    .where(and(eq(serverPorts.serverId, port.serverId), eq(serverPorts.offset, port.offset)))
}

export async function deletePort(db: Db, serverId: string, offset: number): Promise<boolean> {
  const rows = await db
    .delete(serverPorts)
    .where(and(eq(serverPorts.serverId, serverId), eq(serverPorts.offset, offset)))
    .returning({ offset: serverPorts.offset })
  return rows.length > 0
}

const portsOfNode = prepared<{ ports: number[] }, { nodeId: string }>(
  ['ports'],
  statement(sql`select coalesce(array_agg(host_port), '{}') from server_ports
    where node_id = ${sql.placeholder('nodeId')}`),
)

/** Host ports in use on a node. Stays valid only while the node's row is locked. */
export async function usedPorts(db: Db, nodeId: string): Promise<readonly number[]> {
  const [row] = await portsOfNode(db, { nodeId })
  return row?.ports ?? []
}

export async function insertHold(
  db: Db,
  serverId: string,
  kind: HoldKind,
  cause: string,
): Promise<boolean> {
  const rows = await db
    .insert(serverHolds)
    .values({ serverId, kind, cause })
    .onConflictDoNothing()
    .returning({ kind: serverHolds.kind })
  return rows.length > 0
}

export async function deleteHold(
  db: Db,
  serverId: string,
  kind: HoldKind,
  cause: string,
): Promise<boolean> {
  const rows = await db
    .delete(serverHolds)
    .where(
      and(
        eq(serverHolds.serverId, serverId),
        eq(serverHolds.kind, kind),
        eq(serverHolds.cause, cause),
      ),
    )
    .returning({ kind: serverHolds.kind })
  return rows.length > 0
}

/** The causes for which a server is suspended, oldest first. */
export async function suspensionsOf(db: Db, serverId: string): Promise<string[]> {
  const rows = await db
    .select({ cause: serverHolds.cause })
    .from(serverHolds)
    .where(and(eq(serverHolds.serverId, serverId), eq(serverHolds.kind, 'suspension')))
    .orderBy(asc(serverHolds.since))
  return rows.map(({ cause }) => cause)
}

/** Kinds of hold by server. */
export async function holdsOf(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly HoldKind[]>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(serverHolds)
    .where(inArray(serverHolds.serverId, [...serverIds]))
  return new Map(
    [...Map.groupBy(rows, (row) => row.serverId)].map(([id, held]) => [
      id,
      held.map((row) => row.kind),
    ]),
  )
}

/**
 * Inserts events of this node's servers only; known ones are left unchanged.
 * @returns the new ones
 */
export async function insertEvents(
  db: Db,
  nodeId: string,
  rows: readonly (typeof serverEvents.$inferInsert)[],
): Promise<EventRow[]> {
  if (rows.length === 0) return []
  const own = await db
    .select({ id: servers.id })
    .from(servers)
    .where(
      and(
        eq(servers.nodeId, nodeId),
        inArray(
          servers.id,
          rows.map((row) => row.serverId),
        ),
      ),
    )
  const ids = new Set(own.map((row) => row.id))
  const known = rows.filter((row) => ids.has(row.serverId))
  if (known.length === 0) return []
  return db.insert(serverEvents).values(known).onConflictDoNothing().returning()
}

/** Whether the server had an event of the same kind within the given time before. */
export async function happenedBefore(
  db: Db,
  event: Pick<EventRow, 'id' | 'serverId' | 'kind' | 'at'>,
  withinSeconds: number,
): Promise<boolean> {
  const { rows } = await db.execute<{ one: number }>(sql`
    select 1 as one from server_events where server_id = ${event.serverId}::uuid and kind = ${event.kind}
      and id <> ${event.id}::uuid and at <= ${event.at.toISOString()}::timestamptz
      and at > ${event.at.toISOString()}::timestamptz - make_interval(secs => ${withinSeconds})
    limit 1`)
  return rows.length > 0
}

/** The newest events of a server, without output. */
export const newestEvents = (db: Db, serverId: string, limit: number) =>
  db
    .select({
      kind: serverEvents.kind,
      at: serverEvents.at,
      reason: serverEvents.reason,
      restart: serverEvents.restart,
    })
    .from(serverEvents)
    .where(eq(serverEvents.serverId, serverId))
    .orderBy(desc(serverEvents.at), desc(serverEvents.id))
    .limit(limit)

export const listEvents = (db: Db, serverId: string, after: Position | undefined, limit: number) =>
  db
    .select()
    .from(serverEvents)
    .where(
      and(
        eq(serverEvents.serverId, serverId),
        after &&
          sql`(${serverEvents.at}, ${serverEvents.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
      ),
    )
    .orderBy(desc(serverEvents.at), desc(serverEvents.id))
    .limit(limit + 1)

/** Keeps the newest thousand per server. */
export async function deleteOldEvents(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with old as (
      select id from (select id, row_number() over (partition by server_id order by at desc) as rank from server_events) ranked
      where rank > 1000 limit 5000),
    gone as (delete from server_events where id in (select id from old) returning 1)
    select count(*)::int as count from gone`)
  return rows[0]?.count ?? 0
}

export async function insertTicket(db: Db, row: typeof consoleTickets.$inferInsert): Promise<void> {
  await db.insert(consoleTickets).values(row)
}

/** Redeems a ticket; of two concurrent uses only one succeeds. */
export async function redeemTicket(
  db: Db,
  tokenHash: string,
): Promise<typeof consoleTickets.$inferSelect | undefined> {
  const [row] = await db
    .delete(consoleTickets)
    .where(eq(consoleTickets.tokenHash, tokenHash))
    .returning()
  return row && row.expiresAt > new Date() ? row : undefined
}

export async function deleteStaleTickets(db: Db): Promise<number> {
  const rows = await db
    .delete(consoleTickets)
    .where(sql`${consoleTickets.expiresAt} < now()`)
    .returning({ id: consoleTickets.serverId })
  return rows.length
}

/** Servers whose cooling-off period has passed, oldest first. */
export async function dueDeletions(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(sql`${servers.deleteAt} < now()`)
    .orderBy(asc(servers.deleteAt))
    .limit(50)
  return rows.map((row) => row.id)
}
