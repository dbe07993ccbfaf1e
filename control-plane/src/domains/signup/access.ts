import type { Resource } from '../../http/access.ts'
import { findInvite, type InviteRow } from './store.ts'

export const invite: Resource<'invite', InviteRow, never> = {
  name: 'invite',
  loads: (ctx, id) => findInvite(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}
