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
