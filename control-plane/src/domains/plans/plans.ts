import { randomUUIDv7 } from 'node:crypto'
import { ALL_LIMIT_KEYS, type LimitLayer } from '@lodge/shared/limits/keys.ts'
import {
  type CreatePlan,
  type EditPlan,
  type Plan,
  SUBSCRIPTION_STATUSES,
} from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { type Db, databaseFault, isDuplicate } from '../../db/database.ts'
import { notFound, Problem } from '../../problem.ts'
import * as store from './store.ts'

/** Plans for the API, each with its subscribers by status. */
async function describe(db: Db, rows: readonly store.PlanRow[]): Promise<Plan[]> {
  const counts = await store.subscriberCounts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    description: row.description,
    limits: row.limits,
    subscribers: Object.fromEntries(
      SUBSCRIPTION_STATUSES.map((status) => [status, counts.get(row.id)?.[status] ?? 0]),
    ) as Plan['subscribers'],
    archivedAt: row.archivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }))
}

export async function showPlan(db: Db, row: store.PlanRow): Promise<Plan> {
  const [shown] = await describe(db, [row])
  return shown as Plan
}

/** All plans, including archived ones, in display order. */
export const listPlans = async (db: Db): Promise<{ items: Plan[] }> => ({
  items: await describe(db, await store.listPlans(db)),
})

export async function createPlan(ctx: Ctx, given: CreatePlan): Promise<Plan> {
  const row = await named(given.name, () =>
    store.insertPlan(ctx.db, {
      id: randomUUIDv7(),
      name: given.name,
      kind: given.kind,
      description: given.description ?? '',
      limits: setOnly(given.limits),
    }),
  )
  return showPlan(ctx.db, row)
}

/** Replaces a plan. The new limits apply to every subscriber from this transaction on. */
export async function editPlan(ctx: Ctx, id: string, given: EditPlan): Promise<Plan> {
  const row = await named(given.name, () =>
    store.updatePlan(ctx.db, id, {
      name: given.name,
      description: given.description ?? '',
      limits: setOnly(given.limits),
    }),
  )
  if (!row) throw notFound('plan')
  return showPlan(ctx.db, row)
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
