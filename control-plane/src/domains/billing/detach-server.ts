import type { Ctx } from '../../context.ts'
import { type Deleter, deletePlanServer, freePlanServer } from '../servers/index.ts'
import * as store from './subscription-store.ts'

/** The step that remembers who was to delete a server before its new subscription took it over. */
export const DELETED_BY = {
  billing: 'was_deleted_by_billing',
  owner: 'was_deleted_by_owner',
} as const satisfies Record<Deleter, string>

/**
 * Gives a server whose new subscription never began back: its owner has it as before, or it is deleted
 * after all, at that time.
 * @returns whether it is deleted because its former subscription ended
 */
export async function detachServer(
  ctx: Ctx,
  { id }: store.SubscriptionRow,
  deleteAt: Date,
): Promise<boolean> {
  const steps = await store.stepsOf(ctx.db, id, new Date(0))
  const isEnded = steps.has(DELETED_BY.billing)
  if (isEnded) await deletePlanServer(ctx, id, deleteAt)
  else await freePlanServer(ctx, id, steps.has(DELETED_BY.owner) ? deleteAt : undefined)
  return isEnded
}
