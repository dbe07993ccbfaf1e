import type { PluginManifest } from '@lodge/shared/plugins/manifest.ts'
import type { InstallPlugin, PluginSource } from '@lodge/shared/plugins/plugin.ts'
import { initialSettings, type SettingValues } from '@lodge/shared/plugins/settings.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { acceptedBy } from './accept.ts'
import { obstacleTo } from './inspect.ts'
import { tellOfPages } from './live.ts'
import { packageFrom } from './origin.ts'
import { pack } from './package/files.ts'
import type { Package } from './package/read.ts'
import { notValid } from './package/tar.ts'
import { sealSettings } from './secrets.ts'
import * as store from './store.ts'

/**
 * Installs a package whose permissions were accepted, and turns it on if it needs no settings.
 * @returns the id of the plugin
 */
export async function install(ctx: Ctx, given: InstallPlugin): Promise<string> {
  const found = await packageFrom(ctx, origin(given))
  const { manifest } = found
  if (given.sha256 !== undefined && given.sha256 !== found.sha256)
    throw new Problem(
      'conflict',
      'This is another package than the one that was inspected: inspect it again',
    )
  requireVouched(found, given.acceptUnsigned === true)
  const obstacle = obstacleTo(found, undefined)
  if (obstacle) throw notValid(obstacle)
  const by = acceptedBy(ctx, manifest.permissions)
  const settings = initialSettings(manifest.settings)
  const version = await versionRow(found)
  await ctx.transaction(async (ctx) => {
    const isNew = await store.insertPlugin(ctx.db, {
      ...{ id: manifest.id, source: given.source, version: manifest.version },
      enabled: isComplete(manifest, settings),
      acceptedBy: by,
      settings: sealSettings(ctx.vault, manifest.id, settings),
    })
    if (!isNew)
      throw new Problem('duplicate', `${manifest.name} is installed already: update it instead`)
    await store.putVersion(ctx.db, version)
    await tellOfPages(ctx, manifest.id)
  })
  return manifest.id
}

const origin = ({ source, id, package: file }: InstallPlugin) => ({
  source: source satisfies PluginSource,
  ...(id !== undefined && { id }),
  ...(file !== undefined && { package: file }),
})

/** @throws {Problem} plugin_untrusted */
export function requireVouched({ signature }: Package, accepted: boolean): void {
  if (accepted || signature === 'bundled' || signature === 'verified') return
  throw new Problem(
    'plugin_untrusted',
    signature === 'unsigned'
      ? 'Nobody signed this package: accept that with acceptUnsigned, or get it from a publisher who signs'
      : 'A key that is not trusted here signed this package: accept that with acceptUnsigned, or add the key to LODGE_PLUGIN_KEYS',
  )
}

export const versionRow = async ({ manifest, files, sha256, signature, signedBy }: Package) => ({
  ...{ pluginId: manifest.id, version: manifest.version, manifest, sha256, signature, signedBy },
  files: await pack(files),
})

/** Whether all required settings of a plugin are filled in. */
export const isComplete = (
  { settings: form }: Pick<PluginManifest, 'settings'>,
  settings: SettingValues,
): boolean => (form.required ?? []).every((name) => settings[name] !== undefined)
