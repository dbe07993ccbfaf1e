import type { PageAnswer, PageQuestion } from '@lodge/shared/plugins/page.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { askPage, type InstalledPage, PluginCallFailed } from '../plugins/index.ts'
import { rightsOf, type SharedServer } from '../servers/index.ts'

/**
 * Forwards a page's question to its plugin. The session and the endpoint's URL say who uses the page
 * and where, never the page itself.
 * @throws {PluginCallFailed} unless the plugin answers or refuses
 */
export async function ask(
  ctx: Ctx<User>,
  page: InstalledPage,
  { method, payload = null }: z.output<typeof PageQuestion>,
  server: SharedServer | null,
): Promise<z.input<typeof PageAnswer>> {
  const { id, role } = ctx.actor
  try {
    const answer = await askPage(ctx, page, {
      ...{ method, payload },
      caller: { id, role: role === 'admin' ? 'administrator' : 'customer' },
      server: server && {
        ...{ id: server.id, name: server.name, kind: server.kind },
        permissions: [...rightsOf(ctx.actor, server).permissions],
      },
    })
    return { answer: answer ?? null, refusal: null }
  } catch (error) {
    if (!(error instanceof PluginCallFailed) || error.reason !== 'refused') throw error
    return { refusal: { code: error.pluginCode ?? 'refused', message: error.said } }
  }
}
