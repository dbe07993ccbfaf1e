import { compareVersions } from '@lodge/shared/plugins/manifest.ts'
import { contextFor } from '../../context.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { bundledPackages } from './package/bundled.ts'
import { readRegistry } from './registry.ts'
import { type Installed, listInstalled, noteNewest } from './store.ts'

/** The registry belongs to others, and its index is large. */
const REGISTRY_EVERY_MS = 6 * 3_600_000

/** The newest available version of each plugin, by id. */
type Newest = ReadonlyMap<string, string>

/** Notifies staff, once, of each newer version of an installed plugin in its source. */
export function tellOfUpdates() {
  let registry: Newest = new Map()
  let readAtMs = Number.NEGATIVE_INFINITY
  return periodicTask('plugins.updates', 10, async (services) => {
    const installed = await listInstalled(services.db)
    const isOfRegistry = installed.some(({ plugin }) => plugin.source === 'registry')
    if (isOfRegistry && Date.now() - readAtMs >= REGISTRY_EVERY_MS) {
      // Set first, so that a registry that does not answer is not called in every round.
      readAtMs = Date.now()
      registry = (await newestOfRegistry(services)) ?? registry
    }
    const bundled = await newestBundled()
    let notified = 0
    for (const one of installed) {
      const newest = { bundled, registry, upload: undefined }[one.plugin.source]?.get(one.plugin.id)
      if (newest !== undefined && (await tell(services, one, newest))) notified++
    }
    return { notified }
  })
}

const newestBundled = async (): Promise<Newest> =>
  new Map([...(await bundledPackages())].map(([id, { manifest }]) => [id, manifest.version]))

async function newestOfRegistry(services: Services): Promise<Newest | undefined> {
  try {
    const offered = await readRegistry(services)
    return new Map([...offered].map(([id, { newest }]) => [id, newest.version]))
  } catch (error) {
    // The page of the registry shows the error.
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function tell(
  services: Services,
  { plugin, version: { manifest } }: Installed,
  newest: string,
): Promise<boolean> {
  const { id, version } = plugin
  if (compareVersions(newest, version) <= 0 || plugin.newestVersion === newest) return false
  return contextFor(services, { kind: 'system' } as const).transaction(async (ctx) => {
    if (!(await noteNewest(ctx.db, plugin, newest))) return false
    await ctx.emit('plugin.update_available', { id, name: manifest.name, version, newest })
    return true
  })
}
