import { periodicTask } from '../../jobs/periodic-task.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { wantedOf } from './host/wanted.ts'
import { listInstalled } from './store.ts'

/**
 * Keeps the plugin processes of this instance as they should be: starts plugins that are on in their
 * current revision, ends others, and replaces those that hang.
 */
export const keepRunning = periodicTask('plugins.keep_running', 10, async (services) => {
  const { plugins, db } = services
  const on = (await listInstalled(db)).filter(({ plugin }) => plugin.enabled)
  if (on.length === 0 && plugins.running().size === 0) return { started: 0, stopped: 0 }
  const wanted = new Set(on.map(({ plugin }) => plugin.id))
  const stopped = [...plugins.running().keys()].filter((id) => !wanted.has(id))
  for (const id of stopped) plugins.stop(id)
  await plugins.checkAll()
  let started = 0
  for (const one of on) {
    const isRunning = plugins.running().has(one.plugin.id)
    try {
      await plugins.run(await wantedOf(services, one))
      if (!isRunning) started++
    } catch (error) {
      // The plugin's log has the reason; the next round tries again.
      if (!(error instanceof PluginFault)) throw error
    }
  }
  return { started, stopped: stopped.length }
})
