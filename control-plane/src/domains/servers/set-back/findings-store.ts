import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { COMPARED } from '../../nodes/index.ts'
import type { Finding, KnownServer } from './compare.ts'
import { type FindingRow, serverFindings } from './tables.ts'

/** Keeps a server from any change until somebody decides; the cause is the node that differs. */
export const setBackHold = (nodeId: string) => ({ kind: 'set-back', cause: nodeId }) as const

/** The servers of a node, locked in order of id. */
export async function lockKnown(db: Db, nodeId: string): Promise<KnownServer[]> {
  const { rows } = await db.execute<KnownServer & Record<string, unknown>>(sql`
    select s.id, s.generation::float8 as generation, exists (
      select from server_holds h where h.server_id = s.id and h.kind = 'deleting') as "isDeleting"
    from servers s where s.node_id = ${nodeId}::uuid order by s.id for no key update of s`)
  return rows
}

/** Replaces the earlier findings of a node. */
export async function saveFindings(
  db: Db,
  nodeId: string,
  findings: readonly Finding[],
): Promise<void> {
  await db.delete(serverFindings).where(eq(serverFindings.nodeId, nodeId))
  await db.execute(sql`delete from server_holds where kind = 'set-back' and cause = ${nodeId}`)
  if (findings.length > 0) await insertFindings(db, nodeId, findings)
}

/** Adds a finding to those of a node. */
export const addFinding = (db: Db, nodeId: string, finding: Finding): Promise<void> =>
  insertFindings(db, nodeId, [finding])

async function insertFindings(db: Db, nodeId: string, findings: readonly Finding[]): Promise<void> {
  await db.execute(sql`
    insert into server_findings (node_id, server_id, kind, generation, run, installed, state)
    select ${nodeId}::uuid, f."serverId", f.kind, f.generation, f.run, f.installed, f.state
    from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as f(
      "serverId" uuid, kind text, generation bigint, run int, installed int, state text)`)
  // Includes servers that the database has elsewhere: they must not be brought back or start there.
  await db.execute(sql`
    insert into server_holds (server_id, kind, cause)
    select s.id, 'set-back', ${nodeId} from servers s join server_findings f on f.server_id = s.id
    where f.node_id = ${nodeId}::uuid on conflict do nothing`)
}

/** Updates a finding with the node's latest report of the server. @returns whether there is one */
export async function renewFinding(db: Db, nodeId: string, finding: Finding): Promise<boolean> {
  const { generation, run, installed, state } = finding
  const rows = await db
    .update(serverFindings)
    .set({ generation, run, installed, state })
    .where(and(eq(serverFindings.nodeId, nodeId), eq(serverFindings.serverId, finding.serverId)))
    .returning({ serverId: serverFindings.serverId })
  return rows.length > 0
}

export async function lockFinding(
  db: Db,
  nodeId: string,
  serverId: string,
): Promise<FindingRow | undefined> {
  const [row] = await db
    .select()
    .from(serverFindings)
    .where(and(eq(serverFindings.nodeId, nodeId), eq(serverFindings.serverId, serverId)))
    .for('update')
  return row
}

export async function deleteFinding(db: Db, nodeId: string, serverId: string): Promise<void> {
  await db
    .delete(serverFindings)
    .where(and(eq(serverFindings.nodeId, nodeId), eq(serverFindings.serverId, serverId)))
}

/**
 * Raises a server's generation beyond any that the node has seen. The caller has locked the server.
 */
export async function raiseGeneration(db: Db, id: string, generation: number): Promise<void> {
  await db.execute(sql`
    update servers set generation = greatest(generation, ${generation}::bigint) where id = ${id}::uuid`)
}

/**
 * Raises all failover revisions, because what nodes confirmed may have been under revisions that are
 * lost.
 */
export async function raiseFailoverRevisions(db: Db, by: number): Promise<void> {
  await db.execute(sql`
    with held as materialized (select id from servers order by id for no key update)
    update servers s set failover_revision = failover_revision + ${by}, revision = revision + 1
    from held where s.id = held.id`)
}

/** Servers whose desired states must not be sent to these nodes. */
export async function withheldFrom(
  db: Db,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, { isCompared: boolean; servers: ReadonlySet<string> }>> {
  const { rows } = await db.execute<{ id: string; isCompared: boolean; servers: string[] }>(sql`
    select nodes.id, ${sql.raw(COMPARED)} as "isCompared", array(
      select server_id::text from server_findings f where f.node_id = nodes.id) as servers
    from nodes where nodes.id = any(${sql.param([...nodeIds])}::uuid[])`)
  return new Map(
    rows.map(({ id, isCompared, servers }) => [id, { isCompared, servers: new Set(servers) }]),
  )
}

/**
 * Whether the work of a server has to wait for a person's decision, or for its node to be compared.
 */
export async function isUndecided(db: Db, serverId: string): Promise<boolean> {
  const { rows } = await db.execute<{ waits: boolean }>(sql`
    select exists (select from server_holds where server_id = ${serverId}::uuid
        and kind = 'set-back')
      or exists (select from servers s join nodes on nodes.id = s.node_id
        where s.id = ${serverId}::uuid and nodes.credential_hash is not null
          and not ${sql.raw(COMPARED)}) as waits`)
  return rows[0]?.waits ?? false
}

export interface ListedFinding extends FindingRow {
  readonly nodeName: string
  /** Null if the database does not have it. */
  readonly serverName: string | null
  /** The node on which the database has it. */
  readonly knownOn: string | null
  readonly knownGeneration: number | null
}

/** Findings that wait for a decision, by node and server. */
export async function listFindings(db: Db, most: number): Promise<ListedFinding[]> {
  const { rows } = await db.execute<Record<string, unknown> & ListedFinding>(sql`
    select f.node_id as "nodeId", f.server_id as "serverId", f.kind,
      f.generation::float8 as generation, f.run, f.installed, f.state,
      extract(epoch from f.found_at)::float8 * 1000 as "foundAt", nodes.name as "nodeName",
      s.name as "serverName", k.name as "knownOn", s.generation::float8 as "knownGeneration"
    from server_findings f join nodes on nodes.id = f.node_id
      left join servers s on s.id = f.server_id left join nodes k on k.id = s.node_id
    order by nodes.name, s.name nulls last, f.server_id limit ${most}`)
  return rows.map((row) => ({ ...row, foundAt: new Date(Number(row.foundAt)) }))
}

/** How many servers wait for a decision, by node. */
export async function countFindings(
  db: Db,
): Promise<{ nodeId: string; nodeName: string; servers: number; names: string[]; since: Date }[]> {
  const { rows } = await db.execute<{
    nodeId: string
    nodeName: string
    servers: number
    names: string[]
    sinceMs: number
  }>(sql`
    select f.node_id as "nodeId", nodes.name as "nodeName", count(*)::int as servers,
      (array_agg(coalesce(s.name, f.server_id::text) order by s.name))[1:5] as names,
      extract(epoch from min(f.found_at))::float8 * 1000 as "sinceMs"
    from server_findings f join nodes on nodes.id = f.node_id
      left join servers s on s.id = f.server_id
    group by f.node_id, nodes.name order by nodes.name, f.node_id`)
  return rows.map(({ sinceMs, ...row }) => ({ ...row, since: new Date(sinceMs) }))
}
