import { addedPermissions } from '@lodge/shared/plugins/manifest.ts'
import type { UpdatePlugin } from '@lodge/shared/plugins/plugin.ts'
import {
  initialSettings,
  type SettingValues,
  settingsSchema,
} from '@lodge/shared/plugins/settings.ts'
import type { Ctx } from '../../context.ts'
import { PluginFault } from '../../plugins/fault.ts'
import { Problem } from '../../problem.ts'
import { acceptedBy } from './accept.ts'
import { PluginCallFailed } from './call.ts'
import { installedPlugin } from './change.ts'
import { folderWith } from './host/unpacked.ts'
import { runningOf } from './host/wanted.ts'
import { obstacleTo } from './inspect.ts'
import { isComplete, requireVouched, versionRow } from './install.ts'
import { tellOfPages } from './live.ts'
import { packageFrom } from './origin.ts'
import { unpack } from './package/files.ts'
import type { Package } from './package/read.ts'
import { notValid } from './package/tar.ts'
import { openSettings, sealSettings } from './secrets.ts'
import * as store from './store.ts'

const HEALTH_MS = 30_000

/**
 * Updates a plugin. An update that wants more permissions is held until they are accepted. The new
 * version is started beside the present one and replaces it only if it is healthy.
 */
export async function update(ctx: Ctx, id: string, given: UpdatePlugin): Promise<void> {
  const installed = await installedPlugin(ctx, id)
  const candidate = await candidateFor(ctx, installed, given)
  const { manifest } = candidate
  if (manifest.id !== id) throw notValid(`This is the package of ${manifest.id}`)
  requireVouched(candidate, given.acceptUnsigned === true)
  const obstacle = obstacleTo(candidate, installed)
  if (obstacle) throw new Problem('conflict', obstacle)
  const added = addedPermissions(installed.version.manifest.permissions, manifest.permissions)
  if (added.length > 0 && given.acceptPermissions !== true) return hold(ctx, installed, candidate)
  const by =
    added.length > 0 || !isOfSameMaker(candidate, installed)
      ? acceptedBy(ctx, manifest.permissions)
      : installed.plugin.acceptedBy
  const settings = settingsFor(ctx, installed, candidate)
  if (installed.plugin.enabled) await tryOut(ctx, candidate, settings)
  await replace(ctx, installed, candidate, settings, by)
}

/**
 * Whether a package provably has the maker of the installed version. Only then do permissions that
 * somebody accepted before stand: other code would use them in that person's name.
 */
const isOfSameMaker = (
  { signature, signedBy }: Pick<Package, 'signature' | 'signedBy'>,
  { version }: store.Installed,
): boolean => signature === 'bundled' || (signature === 'verified' && signedBy === version.signedBy)

/** The given package, the held one, or the newest from the plugin's source. */
async function candidateFor(
  ctx: Ctx,
  { plugin: { id, source, heldVersion } }: store.Installed,
  given: UpdatePlugin,
): Promise<Package> {
  if (given.package !== undefined)
    return packageFrom(ctx, { source: 'upload', package: given.package })
  if (heldVersion !== null && given.acceptPermissions) {
    const held = await store.findVersion(ctx.db, id, heldVersion)
    if (held) return { ...held, files: await unpack(held.files) }
  }
  return packageFrom(ctx, { source, id })
}

async function hold(ctx: Ctx, { plugin }: store.Installed, candidate: Package): Promise<void> {
  const { version } = candidate.manifest
  const row = await versionRow(candidate)
  await ctx.transaction(async (ctx) => {
    const present = await lockSame(ctx, plugin)
    await store.putVersion(ctx.db, row)
    await store.updatePlugin(ctx.db, plugin.id, { heldVersion: version })
    await dropOthers(ctx, { ...present, heldVersion: version })
  })
}

/** The present settings that the new version knows, with its defaults for the others. */
function settingsFor(ctx: Ctx, { plugin }: store.Installed, { manifest }: Package): SettingValues {
  const present = openSettings(ctx.vault, plugin.id, plugin.settings)
  const { settings: form } = manifest
  const known = Object.entries(present).filter(([name]) => Object.hasOwn(form.properties, name))
  const settings = { ...initialSettings(form), ...Object.fromEntries(known) }
  if (plugin.enabled && !isComplete(manifest, settings))
    throw new Problem(
      'conflict',
      `${manifest.name} ${manifest.version} needs settings that are not filled in: turn it off, update it and fill them in`,
    )
  const parsed = settingsSchema(form).safeParse(settings)
  return parsed.success || !plugin.enabled ? settings : initialSettings(form)
}

/** Starts a version beside the present one and checks its health. @throws {PluginCallFailed} */
async function tryOut(ctx: Ctx, candidate: Package, settings: SettingValues): Promise<void> {
  const { manifest, files, sha256 } = candidate
  const version = { pluginId: manifest.id, manifest, sha256 }
  const folder = await folderWith(ctx.places.dataFolder, version, async () => files)
  const failed = (fault: PluginFault) =>
    new PluginCallFailed(`${manifest.name} ${manifest.version}, so nothing was changed`, fault)
  try {
    const process = await ctx.plugins.tryOut(runningOf(version, settings, folder))
    try {
      const health = await process.call('plugin.health', {}, HEALTH_MS).catch(orHealthy)
      const { ok, message } = Object(health) as { ok?: unknown; message?: unknown }
      if (ok !== true) throw new PluginFault('failed', String(message).slice(0, 500))
    } finally {
      process.kill('It was tried out')
    }
  } catch (error) {
    if (error instanceof PluginFault) throw failed(error)
    throw error
  }
}

/** A plugin without a health method counts as healthy if it runs. */
export function orHealthy(error: unknown): { readonly ok: true; readonly message: string } {
  if (error instanceof PluginFault && error.reason === 'unsupported')
    return { ok: true, message: 'It runs' }
  throw error
}

async function replace(
  ctx: Ctx,
  { plugin }: store.Installed,
  candidate: Package,
  settings: SettingValues,
  by: string | null,
): Promise<void> {
  const { id } = plugin
  const { version } = candidate.manifest
  const row = await versionRow(candidate)
  await ctx.transaction(async (ctx) => {
    const present = await lockSame(ctx, plugin)
    await store.putVersion(ctx.db, row)
    await store.keepSettings(ctx.db, id, present.version, present.settings)
    await store.revisePlugin(ctx.db, id, {
      ...{ version, previousVersion: present.version, heldVersion: null, acceptedBy: by },
      failure: failureAfter(present),
      settings: sealSettings(ctx.vault, id, settings),
    })
    await dropOthers(ctx, { id, version, previousVersion: present.version, heldVersion: null })
    await tellOfPages(ctx, id)
  })
}

/** Returns to the previous version and its settings; a second call returns to the newer one. */
export async function rollBack(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const present = await store.lockPlugin(ctx.db, id)
    const installed = await installedPlugin(ctx, id)
    const { previousVersion } = installed.plugin
    const previous =
      previousVersion === null ? undefined : await store.findVersion(ctx.db, id, previousVersion)
    if (!present || !previous)
      throw new Problem('invalid_state', 'There is no previous version to return to')
    await store.keepSettings(ctx.db, id, present.version, present.settings)
    await store.revisePlugin(ctx.db, id, {
      ...{ version: previous.version, previousVersion: present.version },
      ...(!isOfSameMaker(previous, installed) && {
        acceptedBy: acceptedBy(ctx, previous.manifest.permissions),
      }),
      failure: failureAfter(present),
      settings: previous.settings ?? present.settings,
    })
    await tellOfPages(ctx, id)
  })
}

/**
 * Another version does not clear the failure of a plugin that failed too often: until somebody turns
 * it on again, a failed scanner holds the files that it has not seen.
 */
const failureAfter = ({ enabled, failure }: store.Installed['plugin']): string | null =>
  enabled ? null : failure

/** The plugin, locked. @throws {Problem} conflict if its version has changed since it was read */
async function lockSame(ctx: Ctx, read: store.Installed['plugin']) {
  const present = await store.lockPlugin(ctx.db, read.id)
  if (present?.version === read.version && present.revision === read.revision) return present
  throw new Problem('conflict', 'The plugin was changed meanwhile: try again')
}

const dropOthers = (
  ctx: Ctx,
  one: Pick<store.Installed['plugin'], 'id' | 'version' | 'previousVersion' | 'heldVersion'>,
): Promise<void> =>
  store.deleteOtherVersions(
    ctx.db,
    one.id,
    [one.version, one.previousVersion, one.heldVersion].filter((version) => version !== null),
  )
