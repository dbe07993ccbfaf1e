import type {
  ServerPlanCapability,
  ServerPlanLimits,
  ServerPlanNumber,
} from '@lodge/shared/limits/of-plan-server.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

/** What the plan of a server says about it, as bought, and what the server has of it. */
export interface PlanTerms {
  readonly plan: string
  readonly limits: ServerPlanLimits
  readonly used: Readonly<Record<ServerPlanNumber, number>>
}

interface TermsRow extends Record<string, unknown> {
  readonly plan: string
  readonly limits: ServerPlanLimits
  readonly backups: number
  readonly storage: number
  readonly ports: number
  readonly people: number
  readonly schedules: number
}

/**
 * The terms of a server that came with a plan, as of this transaction: those of its purchase, or of the last
 * change of plan. Undefined for any other server.
 */
export async function planTermsOf(db: Db, serverId: string): Promise<PlanTerms | undefined> {
  const { rows } = await db.execute<TermsRow>(sql`
    select p.name as plan, coalesce(o.preset->'limits', '{}'::jsonb) as limits,
      copies.count as backups, copies.storage,
      (select count(*)::int from server_ports m where m.server_id = s.id and m.offset >= 1) as ports,
      (select count(*)::int from server_collaborators c where c.server_id = s.id)
        + (select count(*)::int from server_invitations i
          where i.server_id = s.id and i.expires_at > now()) as people,
      (select count(*)::int from schedules c where c.server_id = s.id) as schedules
    from servers s
      join subscriptions u on u.id = s.subscription_id
      join plans p on p.id = u.plan_id
      left join server_orders o on o.subscription_id = u.id,
      lateral (
        select count(*)::int as count, coalesce(sum(reserved_mb), 0)::int8 as storage from (
          select reserved_mb from vm_snapshots where server_id = s.id
          union all
          select reserved_mb from server_backups
            where server_id = s.id and state <> 'failed' and not by_host) each) copies
    where s.id = ${serverId}::uuid`)
  const [row] = rows
  return (
    row && {
      plan: row.plan,
      limits: row.limits,
      used: {
        maxServerBackups: row.backups,
        maxBackupStorageMb: Number(row.storage),
        maxExtraPorts: row.ports,
        maxServerCollaborators: row.people,
        maxServerSchedules: row.schedules,
      },
    }
  )
}

/** Those of these servers of customers whose plans leave a capability out, as bought. */
export async function serversLacking(
  db: Db,
  serverIds: readonly string[],
  capability: ServerPlanCapability,
): Promise<string[]> {
  if (serverIds.length === 0) return []
  const { rows } = await db.execute<{ id: string }>(sql`
    select s.id from servers s join server_orders o on o.subscription_id = s.subscription_id
      join users owner on owner.id = s.owner_id and owner.role <> 'admin'
    where s.id = any(${sql.param([...serverIds])}::uuid[])
      and o.preset->'limits'->>${capability} = 'false'`)
  return rows.map(({ id }) => id)
}
