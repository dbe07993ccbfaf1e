import { contextFor } from '../../context.ts'
import { SILENT_SECONDS } from '../../fleet/online.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { endSilentSessions, nodesToReport } from './store.ts'

/** Longer than an update or restart of either end. */
const TOLD_AFTER_SECONDS = 60

export const nodePeriodicTasks = [
  periodicTask('nodes.silent', 4, async ({ db, live }) => {
    const silent = await db.transaction(async (tx) => {
      const ended = await endSilentSessions(tx, SILENT_SECONDS)
      for (const id of ended) {
        await live.announce(tx, { kind: 'node', id })
        await live.announce(tx, { kind: 'node-servers', id })
      }
      return ended
    })
    return { silent: silent.length }
  }),
  periodicTask('nodes.tell', 5, (services) =>
    contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
      const news = await nodesToReport(ctx.db, TOLD_AFTER_SECONDS)
      for (const { id: nodeId, name, away, servers } of news)
        await (away
          ? ctx.emit('node.offline', { nodeId, name, servers })
          : ctx.emit('node.online', { nodeId, name }))
      return { reported: news.length }
    }),
  ),
]
