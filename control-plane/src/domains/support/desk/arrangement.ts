import type { DeskArrangement, DeskSettings } from '@lodge/shared/support/desk.ts'
import type { Ctx } from '../../../context.ts'
import { lockSettings, readSettings, writeSettings } from '../../settings/index.ts'
import { listAgents } from '../categories/agents-store.ts'
import { listCategories } from '../categories/store.ts'
import { categoryOf, groupsOf } from '../categories/view.ts'
import { deskSettings } from './settings.ts'

/** The configuration of the desk, for staff. */
export async function arrangementOf({ db }: Ctx): Promise<DeskArrangement> {
  return {
    settings: await readSettings(db, deskSettings),
    categories: (await listCategories(db)).map(categoryOf),
    groups: await groupsOf(db),
    agents: await listAgents(db),
  }
}

/** Changes the settings that are given. */
export const changeSettings = (
  ctx: Ctx,
  given: { readonly [K in keyof DeskSettings]?: DeskSettings[K] | undefined },
): Promise<DeskArrangement> =>
  ctx.transaction(async (ctx) => {
    const now = await lockSettings(ctx.db, deskSettings)
    const wanted = Object.entries(given).filter(([, value]) => value !== undefined)
    await writeSettings(ctx.db, deskSettings, { ...now, ...Object.fromEntries(wanted) })
    return arrangementOf(ctx)
  })
