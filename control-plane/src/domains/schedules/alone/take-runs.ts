import { NodeRun } from '@lodge/shared/node-schedules.ts'
import { contextFor } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import type { Services } from '../../../services.ts'
import type { RunRow } from '../tables.ts'
import { nameOf } from '../view.ts'
import { lockOccurrence, saveNodeRun, scheduleOnNode } from './alone-store.ts'

/** A run cannot be due later than this: clocks differ, but by less. */
const AHEAD_MS = 86_400_000

/**
 * Stores a node's reported runs as history of the schedules of its own servers. Ignores what cannot
 * be parsed or concerns anything else.
 */
export async function takeRuns(
  services: Services,
  db: Db,
  nodeId: string,
  documents: readonly string[],
): Promise<void> {
  for (const document of documents) {
    const run = readRun(document)
    if (run) await takeRun(services, db, nodeId, run)
  }
}

async function takeRun(services: Services, db: Db, nodeId: string, run: NodeRun): Promise<void> {
  const found = await scheduleOnNode(db, nodeId, run.scheduleId)
  if (!found) return
  const { row, server } = found
  const known = await lockOccurrence(db, row.id, new Date(run.dueAt))
  if (known && !yields(known)) return
  await saveNodeRun(db, run)
  const ctx = contextFor({ ...services, db }, { kind: 'system' } as const)
  await ctx.live.announce(db, { kind: 'schedules', id: server.id })
  if (run.endedAt === null || run.state === 'skipped') return
  const news = {
    serverId: server.id,
    serverName: server.name,
    ownerId: server.ownerId,
    authorId: row.authorId,
    scheduleId: row.id,
    scheduleName: nameOf(row),
  }
  await ctx.emit('schedule.ran_alone', { ...news, dueAt: run.dueAt, state: run.state })
  if (run.state === 'failed')
    await ctx.emit('schedule.failed', { ...news, reason: run.detail ?? 'It failed' })
}

/**
 * Whether what is known of an occurrence gives way to the node's report: it is an earlier report of
 * the node, or nothing was done here.
 */
const yields = ({ byNode, state, results, endedAt }: RunRow): boolean =>
  byNode
    ? endedAt === null
    : state === 'missed' ||
      state === 'skipped' ||
      (state === 'running' && results.every((one) => one.state === 'waiting'))

function readRun(document: string): NodeRun | undefined {
  try {
    const run = NodeRun.safeParse(JSON.parse(document.replaceAll('\\u0000', ''))).data
    return run && Date.parse(run.dueAt) < Date.now() + AHEAD_MS ? run : undefined
  } catch {
    return undefined
  }
}
