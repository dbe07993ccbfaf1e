import { THE_HOST } from '@lodge/shared/accounts.ts'
import type { FileRules } from '@lodge/shared/file-rules.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { alias, QueryBuilder } from 'drizzle-orm/pg-core'
import type { Db } from '../../../db/database.ts'
import { prepared, statement } from '../../../db/prepared.ts'
import type { Audience } from '../../../live/replay-buffer.ts'
import { users } from '../../customers/tables.ts'
import { serverHolds, servers } from '../tables.ts'
import {
  type CollaboratorRow,
  type InvitationRow,
  serverCollaborators,
  serverInvitations,
} from './tables.ts'

/** What somebody may do on a server that is not their own. */
export interface Rights {
  readonly permissions: readonly ServerPermission[]
  readonly files: FileRules
}

const rightsOf = prepared<Rights, { serverId: string; userId: string }>(
  ['permissions', 'files'],
  new QueryBuilder()
    .select({
      // While the owner's account is suspended, the share stays but is unusable.
      permissions: sql<Rights['permissions']>`case when exists (
          select from ${serverHolds} where ${serverHolds.serverId} = ${serverCollaborators.serverId}
            and ${serverHolds.kind} = 'suspension' and ${serverHolds.cause} = 'account')
        then '{}'::text[] else ${serverCollaborators.permissions} end`.as('permissions'),
      files: serverCollaborators.files,
    })
    .from(serverCollaborators)
    .where(
      and(
        eq(serverCollaborators.serverId, sql.placeholder('serverId')),
        eq(serverCollaborators.userId, sql.placeholder('userId')),
      ),
    ),
)

export async function findRights(
  db: Db,
  serverId: string,
  userId: string,
): Promise<Rights | undefined> {
  const [row] = await rightsOf(db, { serverId, userId })
  return row
}

const sharedIds = prepared<{ ids: string[] }, { userId: string }>(
  ['ids'],
  statement(sql`select array(select server_id from server_collaborators
    where user_id = ${sql.placeholder('userId')}::uuid limit 10000)`),
)

/** Servers shared with somebody. */
export async function sharedWith(db: Db, userId: string): Promise<string[]> {
  const [row] = await sharedIds(db, { userId })
  return row?.ids ?? []
}

const inviters = alias(users, 'inviters')
const inviter = sql<
  string | null
>`case when ${inviters.role} = 'admin' then ${THE_HOST} else ${inviters.email} end`

export const listCollaborators = (db: Db, serverId: string) =>
  db
    .select({
      row: serverCollaborators,
      email: users.email,
      name: users.name,
      inviter,
    })
    .from(serverCollaborators)
    .innerJoin(users, eq(users.id, serverCollaborators.userId))
    .leftJoin(inviters, eq(inviters.id, serverCollaborators.invitedBy))
    .where(eq(serverCollaborators.serverId, serverId))
    .orderBy(asc(users.email))
    .limit(1000)

const open = gt(serverInvitations.expiresAt, sql`now()`)

export const listInvitations = (db: Db, serverId: string) =>
  db
    .select({ row: serverInvitations, inviter })
    .from(serverInvitations)
    .leftJoin(inviters, eq(inviters.id, serverInvitations.invitedBy))
    .where(and(eq(serverInvitations.serverId, serverId), open))
    .orderBy(asc(serverInvitations.email))
    .limit(1000)

/** Open invitations to an address, newest first. */
export const listInvitationsTo = (db: Db, email: string) =>
  db
    .select({
      row: serverInvitations,
      serverName: servers.name,
      kind: servers.kind,
      inviter,
    })
    .from(serverInvitations)
    .innerJoin(servers, eq(servers.id, serverInvitations.serverId))
    .leftJoin(inviters, eq(inviters.id, serverInvitations.invitedBy))
    .where(and(eq(serverInvitations.email, email), open))
    .orderBy(desc(serverInvitations.id))
    .limit(100)

/** An open invitation by id. */
export async function findOpenInvitation(db: Db, id: string): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(serverInvitations)
    .where(and(eq(serverInvitations.id, id), open))
  return row
}

/** The same, locked until the transaction ends. */
export async function holdInvitation(db: Db, id: string): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(serverInvitations)
    .where(and(eq(serverInvitations.id, id), open))
    .for('update')
  return row
}

/** Those whom the server is shared with now. */
export async function countCollaborators(db: Db, serverId: string): Promise<number> {
  const rows = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(serverCollaborators)
    .where(eq(serverCollaborators.serverId, serverId))
  return rows[0]?.count ?? 0
}

/** Collaborators and open invitations of a server, as the limit counts them. */
export async function countPeople(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select (select count(*) from ${serverCollaborators} where server_id = ${serverId}::uuid)::int
      + (select count(*) from ${serverInvitations}
         where server_id = ${serverId}::uuid and expires_at > now())::int as count`)
  return rows[0]?.count ?? 0
}

export async function findCollaborator(
  db: Db,
  serverId: string,
  userId: string,
): Promise<CollaboratorRow | undefined> {
  const [row] = await db
    .select()
    .from(serverCollaborators)
    .where(and(eq(serverCollaborators.serverId, serverId), eq(serverCollaborators.userId, userId)))
  return row
}

export async function findInvitation(
  db: Db,
  serverId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(serverInvitations)
    .where(and(eq(serverInvitations.serverId, serverId), eq(serverInvitations.id, id), open))
  return row
}

/** The open invitation of an address, if any. */
export async function findInvitationOf(
  db: Db,
  serverId: string,
  email: string,
): Promise<InvitationRow | undefined> {
  const [row] = await db
    .select()
    .from(serverInvitations)
    .where(and(eq(serverInvitations.serverId, serverId), eq(serverInvitations.email, email), open))
  return row
}

export async function deleteInvitationsOf(db: Db, serverId: string, email: string): Promise<void> {
  await db
    .delete(serverInvitations)
    .where(and(eq(serverInvitations.serverId, serverId), eq(serverInvitations.email, email)))
}

export async function insertInvitation(
  db: Db,
  row: typeof serverInvitations.$inferInsert,
): Promise<InvitationRow> {
  const [inserted] = await db.insert(serverInvitations).values(row).returning()
  return inserted as InvitationRow
}

export async function updateInvitation(
  db: Db,
  id: string,
  change: Partial<InvitationRow>,
): Promise<void> {
  await db.update(serverInvitations).set(change).where(eq(serverInvitations.id, id))
}

export async function deleteInvitation(db: Db, id: string): Promise<void> {
  await db.delete(serverInvitations).where(eq(serverInvitations.id, id))
}

/** Has a row while an invitation has no mail. */
export const UNMAILED =
  'select from server_invitations where mailed_at is null and expires_at > now()'

/** Invitations whose mail is not queued yet; concurrent instances skip locked ones. */
export const takeUnmailed = (db: Db, limit: number): Promise<InvitationRow[]> =>
  db
    .select()
    .from(serverInvitations)
    .where(and(isNull(serverInvitations.mailedAt), open))
    .orderBy(asc(serverInvitations.id))
    .limit(limit)
    .for('update', { skipLocked: true })

export async function findInvitationByToken(
  db: Db,
  tokenHash: Buffer,
  hold: boolean,
): Promise<InvitationRow | undefined> {
  const query = db
    .select()
    .from(serverInvitations)
    .where(and(eq(serverInvitations.tokenHash, tokenHash), open))
  const [row] = await (hold ? query.for('update') : query)
  return row
}

/** Adds a collaborator or changes their rights. */
export async function putCollaborator(
  db: Db,
  row: Pick<CollaboratorRow, 'serverId' | 'userId' | 'permissions' | 'files' | 'invitedBy'>,
): Promise<CollaboratorRow> {
  const { permissions, files } = row
  const [put] = await db
    .insert(serverCollaborators)
    .values(row)
    .onConflictDoUpdate({
      target: [serverCollaborators.serverId, serverCollaborators.userId],
      set: { permissions, files },
    })
    .returning()
  return put as CollaboratorRow
}

export async function deleteCollaborator(
  db: Db,
  serverId: string,
  userId: string,
): Promise<boolean> {
  const rows = await db
    .delete(serverCollaborators)
    .where(and(eq(serverCollaborators.serverId, serverId), eq(serverCollaborators.userId, userId)))
    .returning({ userId: serverCollaborators.userId })
  return rows.length > 0
}

export async function deleteExpiredInvitations(db: Db): Promise<number> {
  const rows = await db
    .delete(serverInvitations)
    .where(sql`${serverInvitations.expiresAt} < now()`)
    .returning({ id: serverInvitations.id })
  return rows.length
}

/** The collaborators of each server, for notifications. */
export async function collaboratorsOf(
  db: Db,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (serverIds.length === 0) return new Map()
  const rows = await db
    .select({ serverId: serverCollaborators.serverId, userId: serverCollaborators.userId })
    .from(serverCollaborators)
    .where(sql`${serverCollaborators.serverId} = any(${sql.param([...serverIds])}::uuid[])`)
  return new Map(
    [...Map.groupBy(rows, (row) => row.serverId)].map(([id, all]) => [
      id,
      all.map((row) => row.userId),
    ]),
  )
}

/** The owner of a server and its collaborators. */
export async function peopleOf(
  db: Db,
  serverId: string,
  ownerId: string,
): Promise<{ userId: string; email: string }[]> {
  const { rows } = await db.execute<{ userId: string; email: string }>(sql`
    select u.id as "userId", u.email from users u
    where u.id = ${ownerId}::uuid
      or u.id in (select user_id from server_collaborators where server_id = ${serverId}::uuid)
    order by u.id`)
  return rows
}

/** Who sees each of these servers: owner, collaborators, and staff who see every server. */
export async function whoSees(
  db: Db,
  serverIds: readonly string[],
): Promise<{ serverId: string; audience: Audience }[]> {
  if (serverIds.length === 0) return []
  const others = await collaboratorsOf(db, serverIds)
  const rows = await db
    .select({ serverId: servers.id, ownerId: servers.ownerId })
    .from(servers)
    .where(sql`${servers.id} = any(${sql.param([...serverIds])}::uuid[])`)
  return rows.map(({ serverId, ownerId }) => ({
    serverId,
    audience: { userIds: [ownerId, ...(others.get(serverId) ?? [])], permission: 'servers.view' },
  }))
}
