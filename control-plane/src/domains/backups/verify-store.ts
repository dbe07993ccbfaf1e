import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { ONLINE } from '../../fleet/online.ts'
import { REACHABLE } from './tidy-store.ts'

export interface ToVerify {
  readonly serverId: string
  readonly ownerId: string
  readonly backupId: string
}

/**
 * Backups that nobody has read back for so long, the longest unread first: of each node the first one,
 * unless it is busy or reads one already. One that could not be read yesterday waits for tomorrow.
 */
export async function dueToVerify(
  db: Db,
  given: { days: number; atMost: number; busyPercent: number },
): Promise<ToVerify[]> {
  const { rows } = await db.execute<ToVerify & Record<string, unknown>>(sql`
    with open as (
      select input->>'nodeId' as node_id from jobs
      where kind = 'backup.verify' and ended_at is null),
    waiting as (
      select distinct on (nodes.id) s.id as server_id, s.owner_id, b.id as backup_id,
        coalesce(b.verified_at, b.created_at) as since
      from server_backups b
      join servers s on s.id = b.server_id
      join backup_repositories r on r.id = b.repository_id
      join nodes on nodes.id = case r.place when 'node' then r.node_id else s.node_id end
      where b.state = 'good' and b.damaged_at is null
        and coalesce(b.verified_at, b.created_at) < now() - make_interval(days => ${given.days})
        and ${sql.raw(ONLINE)} and ${REACHABLE}
        and nodes.capabilities @> array['agent.backup-verify']
        and coalesce((nodes.usage->>'cpuPercent')::float8, 0) < ${given.busyPercent}
        and not exists (select from open where open.node_id = nodes.id::text)
        and not exists (select from jobs j where j.server_id = s.id and j.ended_at is null)
        and not exists (select from jobs j where j.server_id = s.id and j.kind = 'backup.verify'
          and j.input->>'backupId' = b.id::text and j.created_at > now() - interval '1 day')
      order by nodes.id, since, b.id)
    select server_id as "serverId", owner_id as "ownerId", backup_id as "backupId" from waiting
    order by since
    limit greatest(0, ${given.atMost} - (select count(*) from open))`)
  return rows
}
