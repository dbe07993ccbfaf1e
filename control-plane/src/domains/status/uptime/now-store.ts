import type { Health, Impact } from '@lodge/shared/status.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { ONLINE } from '../../../fleet/online.ts'

/** How long a silent node may just be restarting, or looking for another control plane. */
const SURE_SECONDS = 60
/** After a time in which nothing was recorded, how long nodes get to be heard again. */
const SETTLED_MINUTES = 2

export interface Measured {
  readonly id: string
  /** Null: unknown. */
  readonly measured: Health | null
  /** The worst impact of its open incidents. */
  readonly published: Impact | null
  readonly maintenance: boolean
}

/**
 * The state of every component now, by the database's clock. A location is unknown while one of its
 * nodes has been silent so briefly, or observed so briefly, that it may be well.
 */
export async function measure(db: Db): Promise<Measured[]> {
  const { rows } = await db.execute<Measured & Record<string, unknown>>(sql`
    with settled as (select coalesce((select unbroken_since
        <= statement_timestamp() - make_interval(mins => ${SETTLED_MINUTES})
        and recorded_until > statement_timestamp() - make_interval(mins => ${SETTLED_MINUTES})
      from status_clock where id = 1), false) as yes),
    places as (select location,
        bool_or(online) as some_online, bool_and(online) as all_online, bool_and(sure) as all_sure
      from (select nodes.location, ${sql.raw(ONLINE)} as online,
          ${sql.raw(ONLINE)} or ((select yes from settled) and coalesce(nodes.last_seen_at
            < statement_timestamp() - make_interval(secs => ${SURE_SECONDS}), true)) as sure
        from nodes where nodes.credential_hash is not null) known
      group by location)
    select status_components.id,
      case source when 'panel' then 'operational' when 'manual' then health
        else (select case when all_online then 'operational' when not all_sure then null
            when some_online then 'partial' else 'outage' end
          from places where places.location = status_components.location) end as measured,
      (select case max(case impact when 'outage' then 3 when 'partial' then 2 else 1 end)
          when 3 then 'outage' when 2 then 'partial' when 1 then 'degraded' end
        from status_incidents join status_incident_components on incident_id = status_incidents.id
        where component_id = status_components.id and kind = 'incident'
          and published_at is not null and ended_at is null) as published,
      exists (select from status_incidents
        join status_incident_components on incident_id = status_incidents.id
        where component_id = status_components.id and kind = 'maintenance'
          and published_at is not null and ended_at is null
          and starts_at <= statement_timestamp() and ends_at > statement_timestamp()) as maintenance
    from status_components`)
  return rows
}

/** Names of the locations that have nodes. */
export async function joinedLocations(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ location: string }>(
    sql`select distinct location from nodes order by location`,
  )
  return rows.map(({ location }) => location)
}
