import { SERVER_STATUSES } from '@lodge/shared/server-status.ts'
import { ServerStatus } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import release from '../../../package.json' with { type: 'json' }
import type { Db } from '../../db/database.ts'
import { mailTrouble } from '../email/index.ts'
import { isOnline } from '../nodes/index.ts'
import { backupConcern } from '../panel-backups/index.ts'
import { Attention, type OwnState, whatNeedsAttention } from './attention.ts'
import { capacityOfLocations } from './capacity.ts'
import { countCustomers, countJobs, countServers, listFleetNodes } from './counts.ts'

const count = z.int()

/** An administrator's start page. Sizes are MiB; 100 % CPU is one core. */
export const Overview = z.object({
  checkedAt: z.iso.datetime(),
  attention: z.array(Attention),
  nodes: z.object({
    total: count,
    online: count,
    offline: count,
    cordoned: count,
    enrolling: count,
  }),
  servers: z.object({
    total: count,
    running: count,
    crashed: count,
    byStatus: z.record(ServerStatus, count),
  }),
  jobs: z.object({ running: count, failed24h: count }),
  customers: count,
  capacity: z.array(
    z.object({
      location: z.string(),
      nodes: count,
      nodesOnline: count,
      memoryMb: count,
      memoryAllocatedMb: count,
      memoryUsedMb: count.nullable(),
      headroomMb: count,
      cpuPercent: count,
      cpuAllocatedPercent: count,
      diskMb: count,
      diskAllocatedMb: count,
      diskUsedMb: count.nullable(),
      survivesLoss: z
        .object({ nodeId: z.uuid(), nodeName: z.string(), survives: z.boolean(), homeless: count })
        .nullable(),
    }),
  ),
})
export type Overview = z.infer<typeof Overview>

/** Counts, capacity and problems of the fleet, from the database only; no node is contacted. */
export async function readOverview(db: Db, now: Date, own: OwnState): Promise<Overview> {
  const fleet = await listFleetNodes(db)
  const counts = await countServers(db, fleet)
  const of = (status: ServerStatus) =>
    counts.filter((one) => one.status === status).reduce((sum, one) => sum + one.count, 0)
  const byStatus = Object.fromEntries(
    SERVER_STATUSES.map((status) => [status, of(status)]),
  ) as Record<ServerStatus, number>
  const enrolled = fleet.filter((node) => node.enrolled)
  const online = enrolled.filter((node) => isOnline(node)).length
  return {
    checkedAt: now.toISOString(),
    attention: await whatNeedsAttention(db, fleet, release.version, {
      ...own,
      backupConcern: await backupConcern(db, now),
      mailTrouble: await mailTrouble(db),
    }),
    nodes: {
      total: fleet.length,
      online,
      offline: enrolled.length - online,
      cordoned: enrolled.filter((node) => node.cordoned).length,
      enrolling: fleet.length - enrolled.length,
    },
    servers: {
      total: Object.values(byStatus).reduce((sum, one) => sum + one, 0),
      running: byStatus.running,
      crashed: byStatus.crashed,
      byStatus,
    },
    jobs: await countJobs(db),
    customers: await countCustomers(db),
    capacity: await capacityOfLocations(db, fleet),
  }
}
