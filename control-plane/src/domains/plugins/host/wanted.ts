import type { SettingValues } from '@lodge/shared/plugins/settings.ts'
import { PluginFault } from '../../../plugins/fault.ts'
import type { Running } from '../../../plugins/plugin-process.ts'
import type { Wanted } from '../../../plugins/processes.ts'
import type { Services } from '../../../services.ts'
import { LODGE_VERSION, misfitOf } from '../package/read.ts'
import { openSettings, secretValues } from '../secrets.ts'
import type { AboutVersion, Installed } from '../store.ts'
import { unpackedFolder } from './unpacked.ts'

type Given = Pick<Services, 'db' | 'places' | 'vault'>

/** What to run for a version with these settings. */
export const runningOf = (
  { pluginId: id, manifest }: Pick<AboutVersion, 'pluginId' | 'manifest'>,
  settings: SettingValues,
  folder: string,
): Running => ({
  id,
  folder,
  permissions: manifest.permissions,
  start: { main: manifest.main, settings, lodgeVersion: LODGE_VERSION },
  secrets: secretValues(manifest, settings),
})

/** A plugin as it should run. @throws {PluginFault} if it should not run */
export async function wantedOf(services: Given, { plugin, version }: Installed): Promise<Wanted> {
  const misfit = misfitOf(version.manifest)
  if (!plugin.enabled)
    throw new PluginFault('not_running', `${version.manifest.name} is turned off`)
  if (misfit) throw new PluginFault('not_running', misfit)
  const { db, vault, places } = services
  const folder = await unpackedFolder({ db, dataFolder: places.dataFolder }, version)
  const settings = openSettings(vault, plugin.id, plugin.settings)
  const { installedAt, revision } = plugin
  return { ...runningOf(version, settings, folder), installedAt, revision }
}
