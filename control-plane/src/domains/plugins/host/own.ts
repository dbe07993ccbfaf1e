import { type Ctx, contextFor } from '../../../context.ts'
import type { PluginProcesses, Wanted } from '../../../plugins/processes.ts'
import type { Services } from '../../../services.ts'
import { tellOfPages } from '../live.ts'
import { findInstalled, turnOffFailed } from '../store.ts'
import { LogBook } from './log-book.ts'
import { serve } from './serve.ts'

/** The log books of each instance, by its plugin processes. */
const books = new WeakMap<PluginProcesses, LogBook>()

/** Flushes what plugins on this instance have logged, so that it can be read. */
export const flushLogs = async ({ plugins }: Pick<Services, 'plugins'>): Promise<void> =>
  books.get(plugins)?.flush()

/** Connects the plugin processes of this instance to the services that they need. */
export function ownProcesses(services: Services): void {
  const book = new LogBook(services)
  books.set(services.plugins, book)
  services.plugins.ownedBy({
    serve: (plugin, call, given) => serve(services, plugin, call, given),
    log: (plugin, level, text) => book.write(plugin, level, text),
    gaveUp: (plugin, why) =>
      void turnOff(contextFor(services, { kind: 'system' }), plugin, why).catch((error: unknown) =>
        services.log.error({ err: error, plugin: plugin.id }, 'could not turn off a plugin'),
      ),
  })
}

/** Turns off a plugin that failed too often, and notifies those who manage plugins. */
async function turnOff(ctx: Ctx, wanted: Wanted, why: string): Promise<void> {
  const { id } = wanted
  await ctx.transaction(async (ctx) => {
    const found = await findInstalled(ctx.db, id)
    const failure = `It failed five times within ten minutes: ${why}`.slice(0, 500)
    if (!found || !(await turnOffFailed(ctx.db, wanted, failure))) return
    await tellOfPages(ctx, id)
    await ctx.emit('plugin.failed', { id, name: found.version.manifest.name, why: failure })
  })
}
