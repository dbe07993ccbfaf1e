import type { Resource } from '../../http/access.ts'
import { findPlan, type PlanRow } from './store.ts'

export const plan: Resource<'plan', PlanRow, never> = {
  name: 'plan',
  loads: (ctx, id) => findPlan(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}
