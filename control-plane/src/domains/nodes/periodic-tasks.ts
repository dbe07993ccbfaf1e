import { contextFor } from '../../context.ts'
import { SILENT_SECONDS } from '../../fleet/online.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { newestAgents } from './agent-update/newest.ts'
import { markOutdated } from './agent-update/outdated-store.ts'
import { nodesShortOfRoom } from './room-store.ts'
import { keepMark } from './set-back/watch.ts'
import { endSilentSessions, nodesToReport } from './store.ts'

/** Longer than an update or restart of either end. */
const TOLD_AFTER_SECONDS = 60

export const nodePeriodicTasks = [
  periodicTask('database.lineage', 5, async (services) => {
    await keepMark(services)
    return {}
  }),
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
  periodicTask('nodes.agents', 5, async (services) => {
    const newest = await newestAgents(services)
    const changed = await contextFor(services, { kind: 'system' } as const).transaction(
      async (ctx) => {
        const nodes = await markOutdated(ctx.db, newest)
        for (const { id: nodeId, name, version, newest, news } of nodes) {
          await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
          if (newest !== null && news)
            await ctx.emit('node.agent_outdated', { nodeId, name, version, newest })
        }
        return nodes
      },
    )
    return { changed: changed.length }
  }),
  periodicTask('nodes.room', 5, (services) =>
    contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
      const short = await nodesShortOfRoom(ctx.db)
      for (const { id: nodeId, ...room } of short)
        await ctx.emit('node.capacity_low', { nodeId, ...room })
      return { short: short.length }
    }),
  ),
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
