import type { Resource } from '../../http/access.ts'
import type { UserRow } from '../customers/index.ts'
import { findAdministrator } from './store.ts'

export const administrator: Resource<'administrator', UserRow, never> = {
  name: 'administrator',
  loads: (ctx, id) => findAdministrator(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}
