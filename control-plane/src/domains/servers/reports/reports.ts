import type { Report } from '@lodge/proto/fleet.ts'
import type { MetricsBatch } from '@lodge/proto/server.ts'
import { type Db, inOneTransaction } from '../../../db/database.ts'
import type { Services } from '../../../services.ts'
import { advanceReports } from '../../nodes/index.ts'
import { runsOfNode } from '../node-schedules.ts'
import { takeEvents } from './observe.ts'

/** Reports of one node, ordered by number. */
export interface NodeReports {
  readonly nodeId: string
  readonly reports: readonly Report[]
  /** How far the node's clock was ahead of ours when it connected. */
  readonly clockAheadMs?: number
}

/** Receives metrics; implemented by a domain above this one. */
export interface TakeMetrics<Stored = unknown> {
  /** Runs in the given transaction. */
  store(
    db: Db,
    received: readonly {
      readonly nodeId: string
      readonly batches: readonly MetricsBatch[]
      readonly clockAheadMs?: number
    }[],
    now: Date,
  ): Promise<Stored>
  /** Runs after it. */
  show(db: Db, stored: Stored): Promise<void>
}

/**
 * Applies the reports of many nodes. The node numbers them; applying them in one transaction with
 * the number makes each count exactly once.
 * @returns per node the number up to which all are applied; undefined for a removed one
 */
export async function takeReports<Stored>(
  services: Services,
  received: readonly NodeReports[],
  metrics: TakeMetrics<Stored>,
): Promise<(number | undefined)[]> {
  const { db, log } = services
  const through = new Map(
    received.map(({ nodeId, reports }) => [
      nodeId,
      Math.max(0, ...reports.map((one) => one.sequence)),
    ]),
  )
  const now = new Date()
  const { applied, stored } = await inOneTransaction(db, async (tx) => {
    const before = await advanceReports(tx, through)
    const fresh = received.map((one) => {
      const from = before.get(one.nodeId) ?? Number.POSITIVE_INFINITY
      return { ...one, reports: one.reports.filter((report) => report.sequence > from) }
    })
    for (const { nodeId, reports } of fresh)
      await takeEvents(services, tx, nodeId, reports.flatMap(eventOf))
    for (const { nodeId, reports } of fresh) {
      const runs = reports.flatMap(runOf)
      if (runs.length > 0)
        await services.catalogue.answers.to(runsOfNode)(services, tx, nodeId, runs)
    }
    const figures = fresh.flatMap(({ reports, ...node }) => {
      const batches = reports.flatMap(batchOf)
      return batches.length > 0 ? [{ ...node, batches }] : []
    })
    const applied = received.map(({ nodeId }) => {
      const from = before.get(nodeId)
      return from === undefined ? undefined : Math.max(from, through.get(nodeId) ?? 0)
    })
    return {
      applied,
      stored: figures.length > 0 ? await metrics.store(tx, figures, now) : undefined,
    }
  })
  if (stored !== undefined) {
    await metrics
      .show(db, stored)
      .catch((error: unknown) => log.warn({ err: error }, 'could not update the displayed figures'))
  }
  return applied
}

const eventOf = ({ content }: Report) => (content?.$case === 'serverEvent' ? [content.value] : [])
const batchOf = ({ content }: Report) => (content?.$case === 'metrics' ? [content.value] : [])
const runOf = ({ content }: Report) =>
  content?.$case === 'scheduleRun' ? [content.value.document] : []
