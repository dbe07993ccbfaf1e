import type { Agent } from '@lodge/shared/support/desk.ts'
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { users } from '../../customers/tables.ts'

const agent = { id: users.id, email: users.email, name: users.name }

/** Administrators who may see tickets. */
const seesTickets = and(
  eq(users.role, 'admin'),
  eq(users.state, 'active'),
  or(users.superAdmin, sql`'support.view' = any(${users.permissions})`),
)

export const listAgents = (db: Db): Promise<Agent[]> =>
  db.select(agent).from(users).where(seesTickets).orderBy(asc(users.email)).limit(500)

export async function agentsById(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Agent>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select(agent)
    .from(users)
    .where(and(inArray(users.id, [...ids]), seesTickets))
  return new Map(rows.map((row) => [row.id, row]))
}

export const isAgent = async (db: Db, id: string): Promise<boolean> =>
  (await agentsById(db, [id])).has(id)
