import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { owedBackups } from './tables.ts'

/** A server whose subscription ended unpaid, and which has not had its last backup. */
export interface OwedBackup extends Record<string, unknown> {
  readonly subscriptionId: string
  readonly serverId: string
  readonly serverName: string
  /** Null once the account is gone. */
  readonly ownerId: string | null
  readonly email: string | null
  /** When the subscription ended. */
  readonly since: Date
  readonly server: 'ending' | 'kept' | 'deleted'
  /** When the server is deleted; null if that has begun. */
  readonly deleteAt: Date | null
  /** The newest backup that the host began since then. */
  readonly state: 'creating' | 'failed' | null
  readonly failure: string | null
}

/** How long after one attempt the next begins. */
const PAUSE_SECONDS = 3600
const MOST_AT_ONCE = 20

export async function oweBackup(
  db: Db,
  now: Date,
  subscriptionId: string,
  serverId: string,
): Promise<void> {
  await db
    .insert(owedBackups)
    .values({ serverId, subscriptionId, since: now })
    .onConflictDoUpdate({
      target: owedBackups.serverId,
      set: { subscriptionId, since: now, triedAt: null },
    })
}

/** @returns whether one was owed */
export async function settleBackup(db: Db, serverId: string): Promise<boolean> {
  const rows = await db
    .delete(owedBackups)
    .where(eq(owedBackups.serverId, serverId))
    .returning({ serverId: owedBackups.serverId })
  return rows.length > 0
}

type Row = Omit<OwedBackup, 'since' | 'deleteAt'> & {
  readonly since: Date | string
  readonly deleteAt: Date | string | null
}

/**
 * Takes those that were not tried for the longest time, each for one attempt, so that neither another control
 * plane nor the next round tries it at the same time, and those that fail hold up no others.
 */
export async function takeOwedBackups(db: Db, now: Date): Promise<OwedBackup[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<Row>(sql`
    with due as (
      select server_id, tried_at from owed_backups owed
      where owed.tried_at is null
        or owed.tried_at <= ${at} - make_interval(secs => ${sql.raw(String(PAUSE_SECONDS))})
      order by owed.tried_at nulls first limit ${sql.raw(String(MOST_AT_ONCE))}
      for update skip locked),
    taken as (
      update owed_backups owed set tried_at = ${at} from due
      where owed.server_id = due.server_id
      returning owed.*, due.tried_at as tried_before)
    select owed.subscription_id as "subscriptionId", owed.since, owed.server_id as "serverId",
      coalesce(s.name, o.name, '') as "serverName", u.id as "ownerId", u.email,
      s.delete_at as "deleteAt", newest.state, newest.failure->>'detail' as failure,
      case when s.id is null then 'deleted'
        when s.subscription_id = owed.subscription_id and (s.delete_at is not null or exists (
          select from server_holds h where h.server_id = s.id and h.kind = 'deleting')) then 'ending'
        else 'kept' end as server
    from taken owed
      join subscriptions own on own.id = owed.subscription_id
      left join server_orders o on o.subscription_id = own.id
      left join servers s on s.id = owed.server_id
      left join users u on u.id = coalesce(s.owner_id, own.user_id)
      left join lateral (
        select b.state, b.failure from server_backups b
        where b.server_id = s.id and b.by_host and b.created_at >= owed.since
          and b.state in ('creating', 'failed')
        order by b.created_at desc limit 1) newest on true
    order by owed.tried_before nulls first`)
  return rows.map(
    (row) =>
      ({
        ...row,
        since: new Date(row.since),
        deleteAt: row.deleteAt === null ? null : new Date(row.deleteAt),
      }) as OwedBackup,
  )
}
