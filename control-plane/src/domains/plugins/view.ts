import { addedPermissions, compareVersions } from '@lodge/shared/plugins/manifest.ts'
import { inWords } from '@lodge/shared/plugins/permission-words.ts'
import type { Plugin, PluginDetail, PluginStatus } from '@lodge/shared/plugins/plugin.ts'
import { secretsOf } from '@lodge/shared/plugins/settings.ts'
import type { Services } from '../../services.ts'
import { bundledPackages } from './package/bundled.ts'
import { misfitOf } from './package/read.ts'
import { openSettings } from './secrets.ts'
import { findVersion, type Installed } from './store.ts'

function standing(
  { plugin, version }: Installed,
  isRunning: boolean,
  trouble: string | null,
): { readonly status: PluginStatus; readonly failure: string | null } {
  const misfit = misfitOf(version.manifest)
  if (plugin.failure !== null) return { status: 'errored', failure: plugin.failure }
  if (!plugin.enabled) return { status: 'disabled', failure: null }
  if (misfit !== null) return { status: 'incompatible', failure: misfit }
  return isRunning ? { status: 'running', failure: null } : { status: 'starting', failure: trouble }
}

/**
 * The newer version that is bundled with this Lodge, or that the registry offered at the last look.
 */
async function updateOf({ plugin: { id, source, version, newestVersion } }: Installed) {
  if (source === 'upload') return null
  const newest =
    source === 'bundled' ? (await bundledPackages()).get(id)?.manifest.version : newestVersion
  return newest != null && compareVersions(newest, version) > 0 ? newest : null
}

export async function describePlugin(
  { plugins }: Pick<Services, 'plugins'>,
  installed: Installed,
): Promise<Plugin> {
  const { plugin, version } = installed
  const { id, name, publisher, description, license, homepage = null, kinds } = version.manifest
  return {
    ...{ id, name, publisher, description, license, homepage, kinds },
    ...{ version: plugin.version, source: plugin.source, signature: version.signature },
    enabled: plugin.enabled,
    ...standing(installed, plugins.running().has(id), (await plugins.trouble(id)) ?? null),
    updateTo: await updateOf(installed),
    installedAt: plugin.installedAt.toISOString(),
    updatedAt: plugin.updatedAt.toISOString(),
  }
}

export async function describeInDetail(
  services: Pick<Services, 'db' | 'plugins' | 'vault'>,
  installed: Installed,
): Promise<PluginDetail> {
  const { plugin, version } = installed
  const { permissions, settings: form } = version.manifest
  const settings = openSettings(services.vault, plugin.id, plugin.settings)
  const secrets = secretsOf(form)
  const isShown = ([name]: [string, unknown]) => !secrets.includes(name)
  const held =
    plugin.heldVersion === null
      ? undefined
      : await findVersion(services.db, plugin.id, plugin.heldVersion)
  return {
    ...(await describePlugin(services, installed)),
    permissions: inWords(permissions),
    previousVersion: plugin.previousVersion,
    held: held
      ? {
          version: held.version,
          addedPermissions: inWords(addedPermissions(permissions, held.manifest.permissions)),
        }
      : null,
    form,
    settings: Object.fromEntries(Object.entries(settings).filter(isShown)),
    secretsSet: secrets.filter((name) => settings[name] !== undefined),
  }
}
