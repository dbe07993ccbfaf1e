import { type Ask, decide, mayServeThemselves, type Violation } from '@lodge/shared/limits/check.ts'
import type { Layers } from '@lodge/shared/limits/effective.ts'
import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { type Ctx, holds, isAdmin } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import type { UserRow } from '../customers/index.ts'
import { liveAccountPlans } from '../plans/index.ts'
import { readSettings } from '../settings/index.ts'
import { limitDefaults, limitSettings } from './areas.ts'
import { type Usage, usageOf } from './usage-store.ts'

export interface Standing {
  readonly settings: LimitSettings
  readonly layers: Layers
}

/** Settings and layers of a customer as they are in this transaction. */
export async function standingOf(db: Db, owner: Pick<UserRow, 'id' | 'quota'>): Promise<Standing> {
  const settings = await readSettings(db, limitSettings)
  const [defaults, plans] = [
    await readSettings(db, limitDefaults),
    await liveAccountPlans(db, owner.id),
  ]
  return {
    settings,
    layers: { defaults, plans, customer: settings.allowOverrides ? owner.quota : {} },
  }
}

/**
 * Refuses what would exceed the owner's limits. The one check that everything shares which creates or
 * enlarges: the caller holds the owner's row (`lockOwner`), so that two requests cannot both take the
 * last of anything, and makes the change in the same transaction.
 * @param asks what is asked for, given the owner's present usage
 */
export async function requireRoom(
  ctx: Ctx,
  owner: UserRow,
  asks: (usage: Usage) => readonly Ask[],
  options: { readonly force?: boolean | undefined; readonly selfService?: boolean } = {},
): Promise<void> {
  if (options.force) requireForce(ctx)
  // What belongs to an administrator is the host's own.
  if (owner.role === 'admin') return
  const { settings, layers } = await standingOf(ctx.db, owner)
  if (options.selfService && !mayServeThemselves(settings, layers)) {
    throw new Problem(
      'grant_required',
      'A plan that allows creating servers is required: choose one or ask the host',
    )
  }
  const usage = await usageOf(ctx.db, owner.id, settings.countPlanServers)
  const asker = {
    actor: isAdmin(ctx.actor) ? 'administrator' : 'customer',
    force: options.force === true,
  } as const
  const decision = decide(settings, layers, asks(usage), asker)
  if (!decision.allowed) throw refusal(decision.violations)
  for (const violation of [...decision.forced, ...decision.warned]) {
    ctx.log.warn(
      { ownerId: owner.id, limit: violation.key, message: violation.message },
      'limit exceeded',
    )
  }
}

/** Whether something fits, for what is left out rather than refused when it does not. */
export async function hasRoom(
  ctx: Ctx,
  owner: UserRow,
  asks: (usage: Usage) => readonly Ask[],
): Promise<boolean> {
  try {
    await requireRoom(ctx, owner, asks)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

function requireForce(ctx: Ctx): void {
  if (ctx.actor.kind === 'user' && holds(ctx.actor, 'servers.force_limits')) return
  throw new Problem(
    'permission_required',
    'Exceeding limits needs the permission servers.force_limits',
    {
      fields: { permission: 'servers.force_limits' },
    },
  )
}

function refusal(violations: readonly Violation[]): Problem {
  const [first] = violations
  if (!first) throw new Error('a refusal has at least one violation')
  const { key, value, used, requested } = first
  return new Problem(first.code, first.message, {
    fields: { limit: { name: key, max: value, used, requested, origin: first.origin }, violations },
  })
}
