import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { supportWatches } from '../watches/tables.ts'
import { supportRuleIdles, supportRules } from './tables.ts'

/**
 * Tickets that have been idle for as long as a rule requires, and that it has not handled in this
 * spell.
 */
export async function listIdle(
  db: Db,
  most: number,
): Promise<{ ruleId: string; ticketId: string }[]> {
  const { rows } = await db.execute<{ ruleId: string; ticketId: string }>(sql`
    select rule.id as "ruleId", idle.ticket_id as "ticketId"
    from ${supportRules} rule cross join lateral (
      select watch.ticket_id from ${supportWatches} watch
      where watch.idle_since <= now() - rule.idle_minutes * interval '1 minute'
        and watch.idle_since > now() - rule.idle_minutes * interval '1 minute' - interval '30 days'
        and not exists (select from ${supportRuleIdles} seen
          where seen.rule_id = rule.id and seen.ticket_id = watch.ticket_id
            and seen.since = watch.idle_since)
      order by watch.idle_since desc limit ${most}) idle
    where rule.on_event = 'idle' and rule.enabled
    order by rule.position, rule.id limit ${most}`)
  return rows
}

/**
 * Records that a rule handles an idle spell of a ticket; false if it already has, or the spell is
 * over.
 */
export async function noteIdle(db: Db, ruleId: string, ticketId: string): Promise<boolean> {
  const { rows } = await db.execute<{ ruleId: string }>(sql`
    insert into ${supportRuleIdles} (rule_id, ticket_id, since)
    select rule.id, watch.ticket_id, watch.idle_since
    from ${supportRules} rule, ${supportWatches} watch
    where rule.id = ${ruleId} and rule.enabled and rule.on_event = 'idle'
      and watch.ticket_id = ${ticketId}
      and watch.idle_since <= now() - rule.idle_minutes * interval '1 minute'
    on conflict (rule_id, ticket_id) do update set since = excluded.since
    where support_rule_idles.since <> excluded.since
    returning rule_id as "ruleId"`)
  return rows.length > 0
}
