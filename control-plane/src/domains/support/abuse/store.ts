import { and, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'
import { nodes } from '../../nodes/tables.ts'
import { serverPorts, servers } from '../../servers/tables.ts'
import type { Target } from './target.ts'

/** The server that currently has this port of this node. */
export async function findByPort(db: Db, { host, port }: Target) {
  if (port === undefined) return undefined
  const [row] = await db
    .select({ id: servers.id, name: servers.name, node: nodes.name, owner: users.email })
    .from(serverPorts)
    .innerJoin(servers, eq(servers.id, serverPorts.serverId))
    .innerJoin(nodes, eq(nodes.id, servers.nodeId))
    .innerJoin(users, eq(users.id, servers.ownerId))
    .where(and(eq(serverPorts.hostPort, port), isAt(host)))
    .limit(1)
  return row
}

/** The node with this address. */
export async function findNodeAt(db: Db, { host }: Target): Promise<string | undefined> {
  const [row] = await db.select({ name: nodes.name }).from(nodes).where(isAt(host)).limit(1)
  return row?.name
}

const isAt = (host: string) =>
  or(sql`lower(${nodes.address}) = ${host}`, sql`lower(${nodes.remoteAddress}) = ${host}`)
