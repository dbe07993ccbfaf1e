import { adminCounterpart } from '@lodge/shared/server-permission-list.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { Resource } from '../../../http/access.ts'
import { notFound, Problem } from '../../../problem.ts'
import { findView, loadView, type ServerView } from '../view/view.ts'
import { findOpenInvitation, findRights, type Rights } from './store.ts'
import type { InvitationRow } from './tables.ts'

/** A server from one caller's view, with the rights its owner granted them. */
export interface SharedServer extends ServerView {
  readonly rights: Rights | null
}

/** Loads a server for the caller. */
export async function loadServer(ctx: Ctx, id: string): Promise<SharedServer | undefined> {
  const view = await loadView(ctx.db, id)
  if (!view) return undefined
  const { actor } = ctx
  if (actor.kind !== 'user' || actor.superAdmin || actor.id === view.ownerId)
    return { ...view, rights: null }
  return { ...view, rights: (await findRights(ctx.db, id, actor.id)) ?? null }
}

/** Whether somebody may do `may` on a server; without `may`, whether they may know of it. */
export function permits(
  actor: Pick<User, 'id' | 'role' | 'superAdmin' | 'permissions' | 'suspended'>,
  server: Pick<SharedServer, 'ownerId' | 'rights'>,
  may: ServerPermission | undefined,
): boolean {
  // A suspended account keeps what others share with it, but cannot use it.
  if (actor.suspended && server.ownerId !== actor.id) return false
  if (server.ownerId === actor.id || hasPermission(actor, adminCounterpart(may))) return true
  return server.rights !== null && (may === undefined || server.rights.permissions.includes(may))
}

/**
 * A server and who may do what. Its owner has all owner permissions, a collaborator those granted
 * by the owner, and an administrator those of their role on every server.
 */
export const server: Resource<'server', SharedServer, ServerPermission> = {
  name: 'server',
  shared: true,
  loads: loadServer,
  serverIdOf: ({ id }) => id,
  permits,
}

/**
 * A server of the caller's own; any other does not exist here, whatever the caller's other
 * permissions.
 */
export const ownServer: Resource<'server', ServerView, never> = {
  name: 'server',
  loads: (ctx, id) => findView(ctx.db, id),
  serverIdOf: ({ id }) => id,
  permits: (actor, server) => server.ownerId === actor.id,
}

/** An invitation to a server; it exists only for the invited person. */
export const invitation: Resource<'invitation', InvitationRow, never> = {
  name: 'invitation',
  loads: (ctx, id) => findOpenInvitation(ctx.db, id),
  permits: (actor, invitation) => invitation.email === actor.email,
}

/**
 * Requires a permission that depends on the body.
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
