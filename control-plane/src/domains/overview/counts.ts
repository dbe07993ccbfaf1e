import { serverStatus } from '@lodge/shared/server-status.ts'
import type { HoldKind, ObservedState, Power, ServerStatus } from '@lodge/shared/servers.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { lowestIdAt } from '../../db/timed-ids.ts'
import { isOnline } from '../nodes/index.ts'
import { nodes } from '../nodes/tables.ts'
import { ENDED_WELL } from '../servers/index.ts'

/** A node without the fields only its session uses. */
export type FleetNode = Awaited<ReturnType<typeof listFleetNodes>>[number]

export const listFleetNodes = (db: Db) =>
  db
    .select({
      id: nodes.id,
      name: nodes.name,
      location: nodes.location,
      memoryMb: nodes.memoryMb,
      headroomMb: nodes.headroomMb,
      cpuPercent: nodes.cpuPercent,
      diskMb: nodes.diskMb,
      allocatedMemoryMb: nodes.allocatedMemoryMb,
      allocatedCpuPercent: nodes.allocatedCpuPercent,
      allocatedDiskMb: nodes.allocatedDiskMb,
      allocatedServers: nodes.allocatedServers,
      enrolled: sql<boolean>`${nodes.credentialHash} is not null`,
      cordoned: nodes.cordoned,
      sessionId: nodes.sessionId,
      lastSeenAt: nodes.lastSeenAt,
      agentVersion: nodes.agentVersion,
      preflight: nodes.preflight,
      usage: nodes.usage,
    })
    .from(nodes)
    .orderBy(nodes.name)

export interface ServerCount {
  readonly nodeId: string
  readonly kind: string
  readonly status: ServerStatus
  readonly count: number
}

/**
 * Servers per node and status, as people see it. The database only groups by the inputs of the
 * status, so the status itself is computed in one place.
 */
export async function countServers(db: Db, fleet: readonly FleetNode[]): Promise<ServerCount[]> {
  const silent = new Set(fleet.filter((node) => !isOnline(node)).map((node) => node.id))
  const { rows } = await db.execute<{
    node: string
    kind: string
    desired: Power
    observed: ObservedState
    restart: boolean
    failed: boolean
    well: boolean | null
    holds: HoldKind[] | null
    count: number
  }>(sql`
    select node_id as node, s.kind, desired_power as desired, observed_state as observed, restart_at is not null as restart,
      install_failed as failed, ${ENDED_WELL} as well, held.kinds as holds, count(*) as count
    from servers s left join (
      select server_id, array_agg(distinct kind order by kind) as kinds from server_holds group by server_id
    ) held on held.server_id = s.id
    group by 1, 2, 3, 4, 5, 6, 7, 8`)
  const counts = new Map<string, ServerCount>()
  for (const row of rows) {
    const status = serverStatus({
      desiredPower: row.desired,
      observedState: row.observed,
      restartPending: row.restart,
      endedWell: row.well === true,
      installFailed: row.failed,
      holds: row.holds ?? [],
      nodeSilent: silent.has(row.node),
    })
    const key = `${row.node} ${row.kind} ${status}`
    const count = (counts.get(key)?.count ?? 0) + row.count
    counts.set(key, { nodeId: row.node, kind: row.kind, status, count })
  }
  return [...counts.values()]
}

/** No job takes longer, so a job that ended recently is not older than this. */
export const OLDEST_JOB_MS = 7 * 86_400_000

/** Running jobs, and those that failed in the last 24 hours. */
export async function countJobs(db: Db): Promise<{ running: number; failed24h: number }> {
  const { rows } = await db.execute<{ running: number; failed: number }>(sql`
    select (select count(*) from jobs where ended_at is null) as running,
      (select count(*) from jobs where state = 'failed' and ended_at > now() - interval '24 hours'
        and id > ${lowestIdAt(Date.now() - OLDEST_JOB_MS)}::uuid) as failed`)
  return { running: rows[0]?.running ?? 0, failed24h: rows[0]?.failed ?? 0 }
}

export async function countCustomers(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*) as count from users where role = 'customer'`,
  )
  return rows[0]?.count ?? 0
}
