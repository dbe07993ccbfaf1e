import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound } from '../../problem.ts'
import { findPage, type InstalledPage, listPages } from '../plugins/index.ts'
import { frameAddress } from './document.ts'

/** Whether somebody may see a page, as far as that depends on the person alone. */
function isFor(actor: User, { page }: InstalledPage): boolean {
  if (page.audience === 'customers') return true
  return actor.role === 'admin' && (page.needs === undefined || hasPermission(actor, page.needs))
}

/** The pages that the caller may see. */
export async function seenPages(ctx: Ctx<User>): Promise<PluginPage[]> {
  return (await listPages(ctx)).filter((one) => isFor(ctx.actor, one)).map(describe)
}

const describe = (one: InstalledPage): PluginPage => {
  const { id: page, title, audience, place, icon } = one.page
  const plugin = one.installed.plugin.id
  return { plugin, page, title, audience, place, icon, frame: frameAddress(one) }
}

/**
 * The page that the caller uses at this place.
 * @throws {Problem} not_found, as for a page that does not exist, if they may not see it
 */
export async function seenPage(
  ctx: Ctx<User>,
  { plugin, page }: { readonly plugin: string; readonly page: string },
  place: PluginPage['place'],
): Promise<InstalledPage> {
  const found = await findPage(ctx, plugin, page)
  if (!found || found.page.place !== place || !isFor(ctx.actor, found)) throw notFound('page')
  return found
}
