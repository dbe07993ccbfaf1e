import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/** A server whose subscription ended unpaid, and which has not had its last backup. */
export interface OwedBackup extends Record<string, unknown> {
  readonly subscriptionId: string
  readonly serverId: string
  readonly serverName: string
  readonly ownerId: string
  readonly email: string
  /** When the subscription ended. */
  readonly since: Date
}

/** The step of a subscription that ended unpaid: its server is to be backed up before it is deleted. */
export const BACKUP_OWED = 'last_backup_owed'
/** The step that settles it: the backup was begun, or given up. */
export const BACKUP_SETTLED = 'last_backup'
const MOST_AT_ONCE = 20

/** Those that are owed a backup and not deleted yet, the longest waiting first. */
export async function owedBackups(db: Db, now: Date): Promise<OwedBackup[]> {
  const { rows } = await db.execute<Omit<OwedBackup, 'since'> & { since: Date | string }>(sql`
    select own.id as "subscriptionId", s.id as "serverId", s.name as "serverName",
      u.id as "ownerId", u.email, owed.since
    from servers s
      join users u on u.id = s.owner_id
      join subscriptions own on own.id = s.subscription_id and own.status = 'canceled'
      join billing_steps owed on owed.subscription_id = own.id and owed.step = ${BACKUP_OWED}
    where s.delete_at > ${now.toISOString()}::timestamptz and not exists (
      select from billing_steps settled where settled.subscription_id = own.id
        and settled.step = ${BACKUP_SETTLED} and settled.since = owed.since)
    order by owed.since limit ${sql.raw(String(MOST_AT_ONCE))}`)
  return rows.map((row) => ({ ...row, since: new Date(row.since) }) as OwedBackup)
}
