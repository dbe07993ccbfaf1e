import type { SavePluginSettings } from '@lodge/shared/plugins/plugin.ts'
import { settingsSchema } from '@lodge/shared/plugins/settings.ts'
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { notFound, Problem } from '../../problem.ts'
import { pluginInUse } from './in-use.ts'
import { isComplete } from './install.ts'
import { tellOfPages } from './live.ts'
import { openSettings, sealSettings } from './secrets.ts'
import * as store from './store.ts'

/** An installed plugin, whose row is locked until the transaction ends. @throws {Problem} not_found */
async function locked(ctx: Ctx, id: string): Promise<store.Installed> {
  await store.lockPlugin(ctx.db, id)
  return installedPlugin(ctx, id)
}

/** @throws {Problem} not_found */
export async function installedPlugin(ctx: Pick<Ctx, 'db'>, id: string): Promise<store.Installed> {
  const found = await store.findInstalled(ctx.db, id)
  if (!found) throw notFound('plugin')
  return found
}

/** Turns a plugin on or off. Turning off does not call the plugin, so it always works. */
export async function turn(ctx: Ctx, id: string, enabled: boolean): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { plugin, version } = await locked(ctx, id)
    if (enabled) {
      const settings = openSettings(ctx.vault, id, plugin.settings)
      if (!isComplete(version.manifest, settings))
        throw new Problem('invalid_state', 'Fill in its settings first')
    }
    await store.revisePlugin(ctx.db, id, { enabled, failure: null })
    await tellOfPages(ctx, id)
  })
  if (!enabled) ctx.plugins.stop(id)
}

/** Saves settings; what is left out stays, null removes a value. */
export async function saveSettings(
  ctx: Ctx,
  id: string,
  { settings: given }: SavePluginSettings,
): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { plugin, version } = await locked(ctx, id)
    const merged = { ...openSettings(ctx.vault, id, plugin.settings), ...given }
    const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    const parsed = settingsSchema(version.manifest.settings).safeParse(kept)
    if (!parsed.success)
      throw invalid(
        parsed.error.issues.map(({ path, message }) => ({
          pointer: `/settings/${path.join('/')}`,
          detail: message,
        })),
      )
    await store.revisePlugin(ctx.db, id, {
      settings: sealSettings(ctx.vault, id, parsed.data),
    })
    const settings = Object.keys(given)
    await ctx.emit('plugin.configured', { name: version.manifest.name, settings })
  })
}

/** Removes a plugin with everything that it stored. */
export async function uninstall(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (ctx) => {
    const { version } = await locked(ctx, id)
    const why = await ctx.catalogue.answers.find(pluginInUse)?.(ctx, id)
    if (why) throw new Problem('plugin_in_use', why)
    await store.deletePlugin(ctx.db, id)
    await tellOfPages(ctx, id)
    await ctx.emit('plugin.uninstalled', { id, name: version.manifest.name })
  })
  ctx.plugins.stop(id)
}
