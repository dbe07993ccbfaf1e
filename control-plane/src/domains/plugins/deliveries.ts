import { randomUUIDv7 } from 'node:crypto'
import { backoffMs } from '@lodge/shared/backoff.ts'
import type { PluginEventType } from '@lodge/shared/plugins/event.ts'
import { eventsOf } from '@lodge/shared/plugins/manifest.ts'
import type { Ctx } from '../../context.ts'
import type { EventHandlers } from '../../events/events.ts'
import { watcher } from '../../jobs/periodic-task.ts'
import type { Services } from '../../services.ts'
import { callPlugin, PluginCallFailed } from './call.ts'
import * as store from './delivery-store.ts'
import { listInstalled } from './store.ts'
import type { PluginDeliveryRow } from './tables.ts'

/** After this many attempts, over some days, an event is dropped. */
const MOST_ATTEMPTS = 12
const AGAIN = { leastMs: 10_000, mostMs: 12 * 3_600_000 }

type Data = Readonly<Record<string, string | number | boolean | null>>

/** Queues an event for the plugins that may receive it, in the transaction in which it happened. */
async function keep(ctx: Ctx, type: PluginEventType, data: Data): Promise<void> {
  const all = await listInstalled(ctx.db)
  const interested = all.filter(
    ({ plugin, version: { manifest } }) =>
      plugin.enabled &&
      manifest.kinds.includes('event') &&
      eventsOf(manifest.permissions).includes(type),
  )
  if (interested.length === 0) return
  await store.insertDeliveries(
    ctx.db,
    interested.map(({ plugin }) => ({
      ...{ id: randomUUIDv7(), pluginId: plugin.id, type, data },
      ...{ happenedAt: ctx.now, dueAt: ctx.now },
    })),
  )
}

/** Which events plugins receive, and with which data. */
export const pluginListeners: EventHandlers = {
  'account.suspended': (ctx, { userId, email, reason }) =>
    keep(ctx, 'account.suspended', { userId, email, reason }),
  'account.unsuspended': (ctx, { userId, email }) =>
    keep(ctx, 'account.unsuspended', { userId, email }),
  'backup.completed': (ctx, { serverId, serverName, backupId, sizeBytes }) =>
    keep(ctx, 'backup.completed', { serverId, serverName, backupId, sizeBytes }),
  'backup.failed': (ctx, { serverId, serverName, backupId, reason }) =>
    keep(ctx, 'backup.failed', { serverId, serverName, backupId, reason }),
  'customer.deleted': (ctx, { userId }) => keep(ctx, 'customer.deleted', { userId }),
  'node.offline': (ctx, { nodeId, name, servers }) =>
    keep(ctx, 'node.offline', { nodeId, name, servers }),
  'node.online': (ctx, { nodeId, name }) => keep(ctx, 'node.online', { nodeId, name }),
  'server.gave_up': (ctx, { serverId, serverName, reason }) =>
    keep(ctx, 'server.gave_up', { serverId, serverName, reason }),
  'signup.pending': (ctx, { email }) => keep(ctx, 'signup.pending', { email }),
}

/** Delivers due events to plugins, in order for each plugin: one that hangs delays no other. */
export const tellPlugins = watcher('plugins.tell', store.ANY_DUE, async (services) => {
  const byPlugin = Map.groupBy(await store.takeDue(services.db), ({ pluginId }) => pluginId)
  const delivered = await Promise.all([...byPlugin.values()].map((due) => tellOne(services, due)))
  return { delivered: delivered.reduce((sum, count) => sum + count, 0) }
})

/** Reasons after which the plugin's other events are not tried in this round. */
const SILENT: readonly string[] = ['not_running', 'timeout', 'crashed']

async function tellOne(services: Services, due: readonly PluginDeliveryRow[]): Promise<number> {
  let delivered = 0
  for (const [at, delivery] of due.entries()) {
    const { id, pluginId, type, data, happenedAt, attempts } = delivery
    try {
      const event = { id, type, data, happenedAt: happenedAt.toISOString() }
      await callPlugin(services, pluginId, 'event.happened', event)
      await store.deleteDelivery(services.db, id)
      delivered++
    } catch (error) {
      if (!(error instanceof PluginCallFailed)) throw error
      const isOver = attempts >= MOST_ATTEMPTS || ['refused', 'unsupported'].includes(error.reason)
      if (isOver) await store.deleteDelivery(services.db, id)
      else await store.postpone(services.db, id, backoffMs(attempts, AGAIN))
      if (!SILENT.includes(error.reason)) continue
      await store.putBack(
        services.db,
        due.slice(at + 1).map((one) => one.id),
        AGAIN.leastMs,
      )
      break
    }
  }
  return delivered
}
