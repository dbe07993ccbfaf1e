import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { defineCap } from '../../db/cap.ts'
import type { Db } from '../../db/database.ts'
import { users } from '../customers/tables.ts'
import { changesStorage } from '../servers/index.ts'
import { servers } from '../servers/tables.ts'
import { sftpEndings, sftpPasswords, sshHostKeys, sshKeys } from './tables.ts'

export type SshKeyRow = typeof sshKeys.$inferSelect
export type SftpPasswordRow = typeof sftpPasswords.$inferSelect

export const sshKeyCap = defineCap({
  name: 'SSH keys of an account',
  most: 50,
  present: (userId) => sql`select from ${sshKeys} where ${eq(sshKeys.userId, userId)}`,
  refusal: 'An account has at most 50 SSH keys: remove one first',
})

export const listKeys = (db: Db, userId: string): Promise<SshKeyRow[]> =>
  db.select().from(sshKeys).where(eq(sshKeys.userId, userId)).orderBy(asc(sshKeys.id))

export async function insertKey(
  db: Db,
  row: typeof sshKeys.$inferInsert,
): Promise<SshKeyRow | undefined> {
  const [inserted] = await db.insert(sshKeys).values(row).onConflictDoNothing().returning()
  return inserted
}

export async function deleteKey(
  db: Db,
  userId: string,
  id: string,
): Promise<SshKeyRow | undefined> {
  const [row] = await db
    .delete(sshKeys)
    .where(and(eq(sshKeys.id, id), eq(sshKeys.userId, userId)))
    .returning()
  return row
}

/** Every account that has this key. */
export const findKeys = (db: Db, fingerprint: string) =>
  db
    .select({ key: sshKeys, email: users.email })
    .from(sshKeys)
    .innerJoin(users, eq(users.id, sshKeys.userId))
    .where(eq(sshKeys.fingerprint, fingerprint))
    .limit(20)

export async function putPassword(db: Db, row: typeof sftpPasswords.$inferInsert): Promise<void> {
  await deletePassword(db, row.serverId, row.userId)
  await db.insert(sftpPasswords).values(row)
}

export async function findPassword(
  db: Db,
  serverId: string,
  userId: string,
): Promise<SftpPasswordRow | undefined> {
  const [row] = await db
    .select()
    .from(sftpPasswords)
    .where(and(eq(sftpPasswords.serverId, serverId), eq(sftpPasswords.userId, userId)))
  return row
}

export async function findPasswordByHash(
  db: Db,
  hash: Buffer,
): Promise<{ password: SftpPasswordRow; email: string } | undefined> {
  const [row] = await db
    .select({ password: sftpPasswords, email: users.email })
    .from(sftpPasswords)
    .innerJoin(users, eq(users.id, sftpPasswords.userId))
    .where(eq(sftpPasswords.passwordHash, hash))
  return row
}

export async function deletePassword(db: Db, serverId: string, userId: string): Promise<boolean> {
  const rows = await db
    .delete(sftpPasswords)
    .where(and(eq(sftpPasswords.serverId, serverId), eq(sftpPasswords.userId, userId)))
    .returning({ id: sftpPasswords.id })
  return rows.length > 0
}

/** Everything that opens files in the name of an account. */
export async function deleteCredentialsOf(db: Db, userId: string): Promise<void> {
  await db.delete(sshKeys).where(eq(sshKeys.userId, userId))
  await db.delete(sftpPasswords).where(eq(sftpPasswords.userId, userId))
}

const TABLES = { key: sshKeys, password: sftpPasswords } as const
export type CredentialKind = keyof typeof TABLES

/** A person's access to a server by one credential. */
export interface Way {
  readonly userId: string
  readonly serverId: string
  readonly credential: { readonly kind: CredentialKind; readonly id: string }
}

/** A key gives access to all servers of its owner, a password to one. */
const opens = ({ userId, serverId, credential: { kind, id } }: Way): SQL | undefined =>
  kind === 'key'
    ? and(eq(sshKeys.id, id), eq(sshKeys.userId, userId))
    : and(
        eq(sftpPasswords.id, id),
        eq(sftpPasswords.userId, userId),
        eq(sftpPasswords.serverId, serverId),
      )

/**
 * Records the use of a credential. @returns false if this person has no such credential for this
 * server
 */
export async function touchCredential(db: Db, way: Way): Promise<boolean> {
  const table = TABLES[way.credential.kind]
  const touched = await db
    .update(table)
    .set({ lastUsedAt: sql`now()` })
    .where(opens(way))
    .returning({ id: table.id })
  return touched.length > 0
}

/**
 * Whether each of these still exists, in order: the credential is there, for this person and server.
 */
export async function waysStillThere(db: Db, ways: readonly Way[]): Promise<boolean[]> {
  const list = (texts: readonly string[]) => `{${texts.join(',')}}`
  const { rows } = await db.execute<{ there: boolean }>(sql`
    select case way.kind
        when 'key' then exists (select from ssh_keys
          where id = way.id and user_id = way.user_id)
        else exists (select from sftp_passwords
          where id = way.id and user_id = way.user_id and server_id = way.server_id)
      end as there
    from unnest(${list(ways.map(({ credential }) => credential.kind))}::text[],
        ${list(ways.map(({ credential }) => credential.id))}::uuid[],
        ${list(ways.map(({ userId }) => userId))}::uuid[],
        ${list(ways.map(({ serverId }) => serverId))}::uuid[])
      with ordinality as way(kind, id, user_id, server_id, place)
    order by way.place`)
  return rows.map(({ there }) => there)
}

/** Called only for known keys, so that strangers cannot cause scans of the table. */
export async function serversByDigits(db: Db, digits: string): Promise<string[]> {
  const rows = await db
    .select({ id: servers.id })
    .from(servers)
    .where(sql`right(${servers.id}::text, 12) = ${digits}`)
    .limit(5)
  return rows.map(({ id }) => id)
}

export const listHostKeys = (db: Db) =>
  db.select().from(sshHostKeys).orderBy(sql`${sshHostKeys.type} desc`)

/** Does nothing if another instance was faster. */
export async function insertHostKey(db: Db, row: typeof sshHostKeys.$inferInsert): Promise<void> {
  await db.insert(sshHostKeys).values(row).onConflictDoNothing()
}

/** Ends all connections that somebody has opened until now. */
export async function endConnectionsOf(db: Db, userId: string): Promise<void> {
  const endedAt = sql`now()`
  await db
    .insert(sftpEndings)
    .values({ userId, endedAt })
    .onConflictDoUpdate({ target: sftpEndings.userId, set: { endedAt } })
}

/** When each of these people last ended their connections, if ever. */
export async function endingsOf(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db
    .select()
    .from(sftpEndings)
    .where(inArray(sftpEndings.userId, [...userIds]))
  return new Map(rows.map(({ userId, endedAt }) => [userId, endedAt]))
}

/**
 * A mark for each, in the given order, that changes whenever a row changes that decides what somebody
 * may do with a server: their account, when they ended their connections, the server's owner, holds,
 * change of storage, share, plans, and the settings.
 */
export async function standingMarks(
  db: Db,
  people: readonly { readonly userId: string; readonly serverId: string }[],
): Promise<string[]> {
  const list = (ids: readonly string[]) => `{${ids.join(',')}}`
  const { rows } = await db.execute<{ mark: string }>(sql`
    select concat_ws(' ',
        (select xmin::text from users where id = who.user_id),
        'ended', (select ended_at::text from sftp_endings where user_id = who.user_id),
        'owner', s.owner_id, s.kind, s.subscription_id,
        (select xmin::text from users where id = s.owner_id),
        'holds', (select string_agg(kind || ' ' || cause, ',' order by kind, cause)
          from server_holds where server_id = s.id),
        'storage', ${sql.raw(changesStorage('s.id'))},
        'share', (select xmin::text from server_collaborators
          where server_id = s.id and user_id = who.user_id),
        'plans', (select string_agg(own.xmin::text || ' ' || plan.xmin::text, ',' order by own.id)
          from subscriptions own join plans plan on plan.id = own.plan_id
          where own.user_id = s.owner_id),
        'settings', (select string_agg(xmin::text, ',' order by area) from settings)) as mark
    from unnest(${list(people.map(({ userId }) => userId))}::uuid[],
        ${list(people.map(({ serverId }) => serverId))}::uuid[])
      with ordinality as who(user_id, server_id, place)
    left join servers s on s.id = who.server_id
    order by who.place`)
  return rows.map(({ mark }) => mark)
}
