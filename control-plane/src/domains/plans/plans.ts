import { randomUUIDv7 } from 'node:crypto'
import { ALL_LIMIT_KEYS, type LimitLayer } from '@lodge/shared/limits/keys.ts'
import {
  type CreatePlan,
  type EditPlan,
  type Plan,
  type ServerPreset,
  SUBSCRIPTION_STATUSES,
} from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { type Db, databaseFault, isDuplicate } from '../../db/database.ts'
import { invalid } from '../../http/input.ts'
import { notFound, Problem } from '../../problem.ts'
import { currentPrices, type PriceRow } from './price-store.ts'
import { addPrices, showPrice } from './prices.ts'
import { faultsOfPreset } from './questions.ts'
import * as store from './store.ts'

/** Plans for the API, each with its prices and its subscribers by status. */
async function describe(db: Db, rows: readonly store.PlanRow[]): Promise<Plan[]> {
  const ids = rows.map(({ id }) => id)
  const [counts, prices, held, byPrice] = await Promise.all([
    store.subscriberCounts(db, ids),
    currentPrices(db, ids),
    store.heldUnits(db, ids),
    store.liveByPrice(db, ids),
  ])
  return rows.map((row) => {
    const subscribers = Object.fromEntries(
      SUBSCRIPTION_STATUSES.map((status) => [status, counts.get(row.id)?.[status] ?? 0]),
    ) as Plan['subscribers']
    const { position: _, visible: __, ...shown } = row
    return {
      ...shown,
      prices: prices.filter(({ planId }) => planId === row.id).map(showPrice),
      available: row.stock === null ? null : Math.max(0, row.stock - (held.get(row.id) ?? 0)),
      subscribers,
      subscribersByPrice: byPrice
        .filter(({ planId }) => planId === row.id)
        .map(({ planId: _, ...counted }) => counted),
      archivedAt: row.archivedAt?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    }
  })
}

export async function showPlan(db: Db, row: store.PlanRow): Promise<Plan> {
  const [shown] = await describe(db, [row])
  return shown as Plan
}

/** All plans, including archived ones, in display order. */
export const listPlans = async (db: Db): Promise<{ items: Plan[] }> => ({
  items: await describe(db, await store.listPlans(db)),
})

export async function createPlan(
  ctx: Ctx,
  { prices = [], limits, ...given }: CreatePlan,
): Promise<Plan> {
  return ctx.transaction(async (ctx) => {
    await requirePreset(ctx, given.preset)
    const row = await named(given.name, () =>
      store.insertPlan(ctx.db, { ...set(given), id: randomUUIDv7(), limits: setOnly(limits) }),
    )
    await addPrices(ctx, row.id, prices)
    return showPlan(ctx.db, row)
  })
}

/** Changes a plan. New limits apply to every subscriber from this transaction on. */
export async function editPlan(
  ctx: Ctx,
  plan: store.PlanRow,
  { limits, ...given }: EditPlan,
): Promise<Plan> {
  if (plan.kind === 'server' && limits)
    throw invalid([{ pointer: '/limits', detail: 'is only for account plans' }])
  if (plan.kind === 'account' && given.preset)
    throw invalid([{ pointer: '/preset', detail: 'is only for server plans' }])
  await requirePreset(ctx, given.preset)
  const change = { ...set(given), ...(limits && { limits: setOnly(limits) }) }
  if (Object.keys(change).length === 0) return showPlan(ctx.db, plan)
  const row = await named(given.name ?? plan.name, () => store.updatePlan(ctx.db, plan.id, change))
  if (!row) throw notFound('plan')
  return showPlan(ctx.db, row)
}

async function requirePreset(ctx: Ctx, preset: ServerPreset | undefined): Promise<void> {
  const faults = preset ? await ctx.catalogue.answers.to(faultsOfPreset)(ctx.db, preset) : []
  if (faults.length > 0) throw invalid(faults)
}

const MOST_COPIES = 100
const MAX_NAME_LENGTH = 80

/**
 * Copies a plan with its prices; the copy has no customers and is not sold until somebody publishes
 * it.
 */
export async function duplicatePlan(ctx: Ctx, plan: store.PlanRow): Promise<Plan> {
  return ctx.transaction(async (ctx) => {
    const { createdAt: _, archivedAt: __, position: ___, ...terms } = plan
    for (let copies = 1; copies <= MOST_COPIES; copies += 1) {
      const name = copyName(plan.name, copies)
      const copy = {
        ...terms,
        id: randomUUIDv7(),
        name,
        visibility: 'hidden',
        active: false,
      } as const
      const row = await store.insertCopy(ctx.db, copy)
      if (!row) continue
      await addPrices(ctx, row.id, (await currentPrices(ctx.db, [plan.id])).map(priceTerms))
      return showPlan(ctx.db, row)
    }
    throw new Problem('duplicate', `${plan.name} has ${MOST_COPIES} copies: rename some of them`)
  })
}

const priceTerms = ({ cycle, currency, amount, setupFee, trialDays }: PriceRow) => ({
  ...{ cycle, currency, amount, setupFee, trialDays },
})

function copyName(name: string, copies: number): string {
  const end = copies === 1 ? ' (copy)' : ` (copy ${copies})`
  return name.slice(0, MAX_NAME_LENGTH - end.length).trimEnd() + end
}

/** Puts plans in this order, before those that are not named, which keep theirs. */
export async function reorderPlans(ctx: Ctx, ids: readonly string[]): Promise<{ items: Plan[] }> {
  return ctx.transaction(async (ctx) => {
    const present = await store.lockAll(ctx.db)
    for (const [at, id] of ids.entries()) {
      const pointer = `/ids/${at}`
      if (!present.includes(id)) throw invalid([{ pointer, detail: 'is not a plan' }])
      if (ids.indexOf(id) < at) throw invalid([{ pointer, detail: 'is named twice' }])
    }
    await store.placePlans(ctx.db, [...ids, ...present.filter((id) => !ids.includes(id))])
    return listPlans(ctx.db)
  })
}

/** Drops undefined fields. */
const set = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

/** Removes a plan that never had subscribers and that no invitation uses. */
export async function removePlan(ctx: Ctx, id: string): Promise<void> {
  try {
    await store.deletePlan(ctx.db, id)
  } catch (error) {
    if (databaseFault(error)?.code !== '23503') throw error
    throw new Problem(
      'in_use',
      'Subscriptions or invitations name this plan: archive it instead, so that nobody new gets it',
    )
  }
}

/** Archives a plan or restores it; existing subscribers keep it either way. */
export async function archivePlan(ctx: Ctx, id: string, archived: boolean): Promise<Plan> {
  const row = await store.setArchived(ctx.db, id, archived)
  if (row) return showPlan(ctx.db, row)
  throw new Problem(
    'invalid_state',
    archived ? 'The plan is archived already' : 'The plan is not archived',
  )
}

/** A null key counts as not set, like an absent one. */
const setOnly = (limits: LimitLayer = {}): LimitLayer =>
  Object.fromEntries(
    ALL_LIMIT_KEYS.flatMap((key) =>
      limits[key] === undefined || limits[key] === null ? [] : [[key, limits[key]]],
    ),
  )

async function named<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isDuplicate(error, 'plans_name')) throw error
    throw new Problem('duplicate', `A plan named ${name} already exists: choose another name`)
  }
}
