import type { AgentManifest } from '@lodge/shared/agent-update.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import { type NodeRow, nodes } from '../tables.ts'

/** Compares versions such as 1.10.2 number by number. */
const older = `n.agent_version ~ '^\\d{1,6}(\\.\\d{1,6}){2}$'
  and string_to_array(n.agent_version, '.')::int[] < string_to_array(new.version, '.')::int[]`

/**
 * Records which agents are older than those handed out. If an agent's program is unknown, its version
 * is compared.
 * @returns the nodes for which that has changed, and those whose host has not been notified of the
 * newest agent yet
 */
export async function markOutdated(
  db: Db,
  newest: readonly AgentManifest[],
): Promise<{ id: string; name: string; version: string; newest: string | null; news: boolean }[]> {
  const { rows } = await db.execute<{
    id: string
    name: string
    version: string
    newest: string | null
    news: boolean
  }>(sql`
    with handed as (
      select * from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb)
        as h(architecture text, build text, version text)
      where version ~ '^\\d{1,6}(\\.\\d{1,6}){2}$'),
    seen as (
      select n.id, new.version, new.build, case when n.agent_build is null then ${sql.raw(older)}
          else n.agent_build <> new.architecture || '/' || new.build end as outdated
      from nodes n left join lateral (
        select * from handed
        where n.agent_build is null or architecture = split_part(n.agent_build, '/', 1)
        order by architecture desc limit 1) new on true
      where n.agent_version is not null and n.session_id is not null),
    held as materialized (
      select n.id from nodes n join seen on seen.id = n.id
      where n.agent_outdated is distinct from coalesce(seen.outdated, false)
      order by n.id for no key update of n skip locked)
    update nodes n set agent_outdated = coalesce(seen.outdated, false), revision = n.revision + 1,
      told_agent = case when seen.outdated then seen.build else n.told_agent end
    from seen, held, nodes before
    where seen.id = n.id and held.id = n.id and before.id = n.id
    returning n.id, n.name, n.agent_version as version,
      case when n.agent_outdated then seen.version end as newest,
      n.agent_outdated and before.told_agent is distinct from seen.build as news`)
  return rows
}

/** Nodes by name, whose rows stay locked until the transaction ends. */
export const lockNodes = (db: Db, ids: readonly string[]): Promise<NodeRow[]> =>
  db
    .select()
    .from(nodes)
    .where(inArray(nodes.id, [...ids]))
    .orderBy(asc(nodes.id))
    .for('no key update')

/** The ids of nodes whose agents are outdated, and can replace themselves. */
export async function outdatedNodes(db: Db, ability: string, most: number): Promise<string[]> {
  const rows = await db
    .select({ id: nodes.id })
    .from(nodes)
    .where(and(eq(nodes.agentOutdated, true), sql`${ability} = any(${nodes.capabilities})`))
    .orderBy(asc(nodes.name), asc(nodes.id))
    .limit(most)
  return rows.map(({ id }) => id)
}

export async function saveUpdateJob(db: Db, ids: readonly string[], jobId: string): Promise<void> {
  await db
    .update(nodes)
    .set({ agentUpdateJobId: jobId })
    .where(inArray(nodes.id, [...ids]))
}

/** This node has its update from that job: nothing else of the job concerns it. */
export async function forgetUpdateJob(db: Db, id: string, jobId: string): Promise<void> {
  await db
    .update(nodes)
    .set({ agentUpdateJobId: null })
    .where(and(eq(nodes.id, id), eq(nodes.agentUpdateJobId, jobId)))
}
