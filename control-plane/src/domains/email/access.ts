import type { Resource } from '../../http/access.ts'
import { findMessage, type MessageRow } from './store.ts'

export const message: Resource<'message', MessageRow, never> = {
  name: 'message',
  loads: (ctx, id) => findMessage(ctx.db, id),
  permits: (actor) => actor.role === 'admin',
}
