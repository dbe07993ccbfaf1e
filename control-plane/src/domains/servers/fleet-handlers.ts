import type { Report } from '@lodge/proto/fleet.ts'
import type { MetricsBatch } from '@lodge/proto/server.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { FleetHandlers } from '../../fleet/handlers.ts'
import { advanceReports, nodeSessions } from '../nodes/index.ts'
import { takeEvents, takeObservations } from './observe.ts'
import { takeProgress } from './progress.ts'
import { findServer, holdsOf, serversOfNode } from './store.ts'
import { desiredServer } from './wish.ts'

/** Stores figures in the given transaction; owned by a domain above this one. */
export type TakeMetrics = (
  db: Db,
  nodeId: string,
  batches: readonly MetricsBatch[],
) => Promise<void>

/**
 * What the agents' words mean: nodes and servers as one side of the fleet's conversation.
 * @param services given late, because the fleet itself is one of them
 */
export function fleetHandlers(services: () => Services, takeMetrics: TakeMetrics): FleetHandlers {
  const node = () => nodeSessions(services())
  return {
    authenticate: (nodeId, credential) => node().authenticate(nodeId, credential),
    connected: (nodeId, hello, session) => node().connected(nodeId, hello, session),
    disconnected: (nodeId, sessionId) => node().disconnected(nodeId, sessionId),
    heartbeat: (nodeId, sessionId, beat) => node().heartbeat(nodeId, sessionId, beat),

    async desired(nodeId) {
      const { db } = services()
      const rows = await serversOfNode(db, nodeId)
      const holds = await holdsOf(
        db,
        rows.map((row) => row.id),
      )
      return rows.map((row) => desiredServer(row, holds.get(row.id) ?? []))
    },

    async desiredOne(nodeId, serverId) {
      const { db } = services()
      const row = await findServer(db, serverId)
      if (row?.nodeId !== nodeId) return undefined
      return desiredServer(row, (await holdsOf(db, [serverId])).get(serverId) ?? [])
    },

    observed: (nodeId, seen, complete) => takeObservations(services(), nodeId, seen, complete),
    progress: (nodeId, all) => takeProgress(services(), nodeId, all),
    reports: (nodeId, reports) => takeReports(services(), nodeId, reports, takeMetrics),
  }
}

/** Reports are numbered by the node; in one transaction with the number they are applied exactly once. */
async function takeReports(
  { db }: Services,
  nodeId: string,
  reports: readonly Report[],
  takeMetrics: TakeMetrics,
): Promise<number> {
  const through = Math.max(0, ...reports.map((report) => report.sequence))
  return db.transaction(async (tx) => {
    const applied = await advanceReports(tx, nodeId, through)
    if (applied === undefined) throw new Error(`node ${nodeId} has been removed`)
    const fresh = reports.filter((report) => report.sequence > applied)
    await takeEvents(
      tx,
      nodeId,
      fresh.flatMap((report) =>
        report.content?.$case === 'serverEvent' ? [report.content.value] : [],
      ),
    )
    const batches = fresh.flatMap((report) =>
      report.content?.$case === 'metrics' ? [report.content.value] : [],
    )
    if (batches.length > 0) await takeMetrics(tx, nodeId, batches)
    return Math.max(applied, through)
  })
}
