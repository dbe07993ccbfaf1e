import type { Resource } from '../../http/access.ts'
import { findCustomer } from './store.ts'
import type { UserRow } from './tables.ts'

export const customer: Resource<'customer', UserRow, never> = {
  name: 'customer',
  loads: (ctx, id) => findCustomer(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}
