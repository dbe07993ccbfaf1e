import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { type Db, isDuplicate } from '../../db/database.ts'
import { deferredInsert } from '../../db/deferred-insert.ts'
import { prepared, statement } from '../../db/prepared.ts'
import { Problem } from '../../problem.ts'
import { type PortRow, serverPorts } from './tables.ts'

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

/** Replaces the host port with one of another node. */
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

/**
 * Selects `ports`, the host ports in use on a node: those of its servers, and those they had that
 * may still be open.
 * @param but one server may take back what it had
 */
export const portsOn = (node: string, but = 'null'): string => `
  select coalesce(array_agg(port), '{}') as ports from (
    select host_port as port from server_ports where node_id = ${node}
    union all
    select unnest(held_ports) from servers
    where node_id = ${node} and held_ports <> '{}' and id is distinct from ${but}) used`

const portsOfNode = prepared<{ ports: number[] }, { nodeId: string; serverId: string }>(
  ['ports'],
  statement(sql`with given as (
    select ${sql.placeholder('nodeId')}::uuid as node, ${sql.placeholder('serverId')}::uuid as server)
    ${sql.raw(portsOn('(select node from given)', '(select server from given)'))}`),
)

/**
 * Host ports that a server cannot be given on a node: those in use there, but not those that only
 * itself had before. Stays valid only while the node's row is locked.
 */
export async function usedPorts(
  db: Db,
  nodeId: string,
  serverId: string,
): Promise<readonly number[]> {
  const [row] = await portsOfNode(db, { nodeId, serverId })
  return row?.ports ?? []
}
