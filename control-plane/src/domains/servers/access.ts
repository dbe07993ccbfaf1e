import { ADMIN_COUNTERPART, type ServerPermission } from '@lodge/shared/permissions.ts'
import { holds } from '../../context.ts'
import type { Resource } from '../../http/access.ts'
import { findView, type ServerView } from './view.ts'

/** A server with what a person is shown of it. Its owner may do everything an owner can do. */
export const server: Resource<'server', ServerView, ServerPermission> = {
  name: 'server',
  loads: (ctx, id) => findView(ctx.db, id),
  permits: (actor, server, may) =>
    server.ownerId === actor.id || holds(actor, ADMIN_COUNTERPART[may ?? 'view']),
}
