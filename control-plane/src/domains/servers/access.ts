import { adminCounterpart } from '@lodge/shared/server-permission-list.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Resource } from '../../http/access.ts'
import { notFound, Problem } from '../../problem.ts'
import { findOpenInvitation, findRights, type Rights } from './sharing/store.ts'
import type { InvitationRow } from './sharing/tables.ts'
import { findView, loadView, type ServerView } from './view.ts'

/** A server as one caller meets it: with what the owner allows them, if it is shared with them. */
export interface SharedServer extends ServerView {
  readonly rights: Rights | null
}

/** A server through the eyes of the caller. */
export async function loadServer(ctx: Ctx, id: string): Promise<SharedServer | undefined> {
  const view = await loadView(ctx.db, id)
  if (!view) return undefined
  const { actor } = ctx
  if (actor.kind !== 'user' || actor.superAdmin || actor.id === view.ownerId)
    return { ...view, rights: null }
  return { ...view, rights: (await findRights(ctx.db, id, actor.id)) ?? null }
}

/** Whether somebody may do `may` on a server; without it, whether they may know of it. */
export function permits(
  actor: Pick<User, 'id' | 'role' | 'superAdmin' | 'permissions'>,
  server: Pick<SharedServer, 'ownerId' | 'rights'>,
  may: ServerPermission | undefined,
): boolean {
  if (server.ownerId === actor.id || hasPermission(actor, adminCounterpart(may))) return true
  return server.rights !== null && (may === undefined || server.rights.permissions.includes(may))
}

/**
 * A server with what a person is shown of it. Its owner may do everything an owner can do, a
 * collaborator what the owner allowed, an administrator what their permissions say of every server.
 */
export const server: Resource<'server', SharedServer, ServerPermission> = {
  name: 'server',
  shared: true,
  loads: loadServer,
  serverIdOf: ({ id }) => id,
  permits,
}

/** A server of the caller's own: anybody else's does not exist here, whatever one may do elsewhere. */
export const ownServer: Resource<'server', ServerView, never> = {
  name: 'server',
  loads: (ctx, id) => findView(ctx.db, id),
  serverIdOf: ({ id }) => id,
  permits: (actor, server) => server.ownerId === actor.id,
}

/** An invitation to a server: there for the one whom it invites, and for nobody else. */
export const invitation: Resource<'invitation', InvitationRow, never> = {
  name: 'invitation',
  loads: (ctx, id) => findOpenInvitation(ctx.db, id),
  permits: (actor, invitation) => invitation.email === actor.email,
}

/**
 * Demands a right that only the body tells of.
 * @throws {Problem} as the declared access of an endpoint does
 */
export function requireRight(actor: User, server: SharedServer, may: ServerPermission): void {
  if (permits(actor, server, may)) return
  if (!permits(actor, server, undefined)) throw notFound('server')
  throw new Problem(
    'permission_required',
    `This needs the permission ${may} on the server; its owner can grant it`,
    { fields: { permission: may } },
  )
}
