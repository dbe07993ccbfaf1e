import { type ChangeEffect, PLAN_RESOURCES } from '@lodge/shared/billing/change-effects.ts'
import { periodEnd } from '@lodge/shared/billing/cycles.ts'
import type { ServerPreset } from '@lodge/shared/plans.ts'
import type { Ctx } from '../../context.ts'
import { findUser } from '../customers/index.ts'
import { limitsWithPlan, serverLimitsWithPlan } from '../limits/index.ts'
import type { PlanRow, PriceRow } from '../plans/index.ts'
import { fitsOnDisk, idOfSubscription, sizeWithPlan } from '../servers/index.ts'
import type { OrderRow, SubscriptionRow } from './subscription-store.ts'

interface Change {
  readonly at: Date
  readonly row: SubscriptionRow
  readonly order: OrderRow | undefined
  readonly present: PlanRow
  readonly plan: PlanRow
  readonly from: PriceRow
  readonly to: PriceRow
  readonly immediate: boolean
}

/** What a change of plan makes different for its customer, besides what it costs. */
export async function effectsOf(ctx: Ctx, change: Change): Promise<ChangeEffect[]> {
  const { at, row, order, present, plan, from, to, immediate } = change
  const effects: ChangeEffect[] = []
  if (plan.id !== present.id) {
    if (order && plan.preset)
      effects.push(...(await serverChanges(ctx, row.id, order, plan.preset)))
    const user = plan.kind === 'account' ? await findUser(ctx.db, row.userId) : undefined
    if (user)
      effects.push(
        ...(await limitsWithPlan(ctx.db, user, present.name, {
          ...{ plan: plan.name, limits: plan.limits },
        })),
      )
  }
  if (row.status === 'trialing' && row.trialEndsAt)
    effects.push({ code: 'trial', until: row.trialEndsAt.toISOString() })
  else if (immediate && from.cycle !== to.cycle && row.periodEnd)
    effects.push({
      code: 'period',
      from: row.periodEnd.toISOString(),
      to: periodEnd(at, to.cycle, 1).toISOString(),
    })
  return effects
}

/** How the server of a plan and its limits change, or what was ordered if it is not made yet. */
async function serverChanges(
  ctx: Ctx,
  subscriptionId: string,
  order: OrderRow,
  preset: ServerPreset,
): Promise<ChangeEffect[]> {
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  const sizes = serverId === undefined ? undefined : await sizeWithPlan(ctx.db, serverId, preset)
  const present = sizes?.present ?? flat(order.preset)
  const next = sizes?.next ?? flat(preset)
  const changed = PLAN_RESOURCES.flatMap((resource): ChangeEffect[] => {
    const [from, to] = [present[resource], next[resource]]
    return from === null || to === null || from === to
      ? []
      : [{ code: 'resource', resource, from, to }]
  })
  const isLater =
    changed.length > 0 && sizes?.present.vcpus !== null && sizes?.present.isOn === true
  return [
    ...changed,
    ...(isLater ? [{ code: 'restart' as const }] : []),
    ...(await serverLimitsWithPlan(ctx.db, serverId, order.preset.limits, preset.limits)),
  ]
}

const flat = ({ vm, ...size }: ServerPreset) => ({ ...size, vcpus: vm?.vcpus ?? null })

/** Whether a server does not fit on the disk of another plan: disks of machines never shrink. */
export async function lacksDisk(
  ctx: Ctx,
  subscriptionId: string,
  order: OrderRow,
  { diskMb, vm }: ServerPreset,
): Promise<boolean> {
  if (diskMb >= order.preset.diskMb) return false
  if (vm) return true
  const serverId = await idOfSubscription(ctx.db, subscriptionId)
  return serverId !== undefined && !(await fitsOnDisk(ctx.db, serverId, diskMb))
}
