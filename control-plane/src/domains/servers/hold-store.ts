import type { HoldKind } from '@lodge/shared/servers.ts'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { serverHolds } from './tables.ts'

interface Hold {
  readonly kind: HoldKind
  readonly cause: string
}

const isHold = (serverId: string, { kind, cause }: Hold) =>
  and(eq(serverHolds.serverId, serverId), eq(serverHolds.kind, kind), eq(serverHolds.cause, cause))

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
    .where(isHold(serverId, { kind, cause }))
    .returning({ kind: serverHolds.kind })
  return rows.length > 0
}

export async function hasHold(db: Db, serverId: string, hold: Hold): Promise<boolean> {
  const rows = await db
    .select({ kind: serverHolds.kind })
    .from(serverHolds)
    .where(isHold(serverId, hold))
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
