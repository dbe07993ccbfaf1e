import type { StorePlan } from '@lodge/shared/billing/billing.ts'
import type { Visibility } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { listLocations } from '../nodes/index.ts'
import { listPlans, type PlanRow, showPlan } from '../plans/index.ts'
import { findTemplate } from '../templates/index.ts'
import { findMedium, findProfile, whyNotMedium } from '../virtualization/index.ts'

const isSold = ({ active, archivedAt }: PlanRow): boolean => active && archivedAt === null

/** The plans that somebody can buy, in the host's order. */
export async function showStore(
  ctx: Ctx,
  visible: readonly Visibility[],
  planId?: string,
): Promise<StorePlan[]> {
  const rows = (await listPlans(ctx.db)).filter(
    (row) =>
      isSold(row) &&
      (visible.includes(row.visibility) || (row.visibility === 'unlisted' && row.id === planId)),
  )
  const shown = await describe(ctx, rows)
  return shown.filter(({ prices }) => prices.length > 0)
}

/** The plans that the host can give a customer: all that are not archived. */
export const assignablePlans = async (ctx: Ctx): Promise<StorePlan[]> =>
  describe(
    ctx,
    (await listPlans(ctx.db)).filter(({ archivedAt }) => archivedAt === null),
  )

/** Plans for the API of the store. */
async function describe(ctx: Ctx, rows: readonly PlanRow[]): Promise<StorePlan[]> {
  const locations = await listLocations(ctx.db)
  const shown = await Promise.all(rows.map((row) => showPlan(ctx.db, row)))
  return Promise.all(
    shown.map(async ({ id, name, kind, description, features, preset, prices, available }) => {
      const find = preset?.vm ? findProfile : findTemplate
      const templates = await Promise.all(
        (preset?.templateIds ?? []).map((one) => find(ctx.db, one)),
      )
      const media = await Promise.all(
        (preset?.vm?.mediaIds ?? []).map((one) => findMedium(ctx.db, one)),
      )
      return {
        ...{ id, name, kind, description, features, preset, prices, available },
        templates: templates.flatMap((one) => (one ? [{ id: one.id, name: one.name }] : [])),
        media: media.flatMap((one) =>
          one && !whyNotMedium(one) ? [{ id: one.id, name: one.name, kind: one.kind }] : [],
        ),
        locations: !preset
          ? []
          : locations.filter((one) => preset.locations === 'any' || preset.locations.includes(one)),
      }
    }),
  )
}
