import { randomUUIDv7 } from 'node:crypto'
import { emailAddress } from '@lodge/shared/accounts.ts'
import { FileRules } from '@lodge/shared/file-rules.ts'
import { ServerPermission, withImplied } from '@lodge/shared/server-permissions.ts'
import { z } from 'zod'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound, Problem } from '../../../problem.ts'
import { lockOwner } from '../../customers/index.ts'
import { handOverLink } from '../../email/index.ts'
import { requireQuota } from '../../limits/index.ts'
import { collaboratorInvite } from '../mails.ts'
import { lockServer } from '../store.ts'
import type { SharedServer } from './access.ts'
import { hashOf, tokenOf } from './link-token.ts'
import { requireFilesHeld, requireHeld } from './rights.ts'
import * as store from './store.ts'
import type { InvitationRow } from './tables.ts'

const VALID_DAYS = 7

/** Somebody with whom a server is shared, or who is invited. */
export const Collaborator = z.object({
  /** Id of the row: the person's, or the invitation's while it is open. */
  id: z.uuid(),
  userId: z.uuid().nullable(),
  email: z.string(),
  name: z.string().nullable(),
  state: z.enum(['active', 'invited']),
  permissions: z.array(ServerPermission),
  files: FileRules,
  invitedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** When an open invitation expires. */
  expiresAt: z.iso.datetime().nullable(),
})
export type Collaborator = z.infer<typeof Collaborator>

const permissions = z.array(ServerPermission).min(1).max(ServerPermission.options.length)
export const AddCollaborator = z.strictObject({
  email: emailAddress,
  permissions,
  files: FileRules.optional(),
  /** Also mails people without an account, who may then create one through the link. */
  invite: z.boolean().optional(),
})
export const EditCollaborator = z.strictObject({
  permissions: permissions.optional(),
  files: FileRules.optional(),
})

const describeInvitation = (row: InvitationRow, inviter: string | null): Collaborator => ({
  id: row.id,
  userId: null,
  email: row.email,
  name: null,
  state: 'invited',
  permissions: row.permissions,
  files: row.files,
  invitedBy: inviter,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
})

export async function listCollaborators(
  ctx: Ctx,
  server: SharedServer,
): Promise<{ items: Collaborator[] }> {
  const people = await store.listCollaborators(ctx.db, server.id)
  const invited = await store.listInvitations(ctx.db, server.id)
  return {
    items: [
      ...people.map(({ row, email, name, inviter }) => ({
        id: row.userId,
        userId: row.userId,
        email,
        name,
        state: 'active' as const,
        permissions: row.permissions,
        files: row.files,
        invitedBy: inviter,
        createdAt: row.createdAt.toISOString(),
        expiresAt: null,
      })),
      ...invited.map(({ row, inviter }) => describeInvitation(row, inviter)),
    ],
  }
}

/**
 * Offers to share the server. Whether the address has an account is looked up only when the mail is
 * queued, so neither the response nor its timing reveals it. Inviting again sends a new link.
 */
export async function invite(
  ctx: Ctx<User>,
  server: SharedServer,
  given: z.output<typeof AddCollaborator>,
): Promise<Collaborator> {
  const rights = { permissions: withImplied(given.permissions), files: given.files ?? [] }
  requireHeld(ctx.actor, server, rights.permissions)
  requireFilesHeld(ctx.actor, server, rights)
  return ctx.transaction(async (ctx) => {
    const owner = await lockOwner(ctx.db, server.ownerId)
    const row = await lockServer(ctx.db, server.id)
    if (!row || !owner) throw notFound('server')
    const { items } = await listCollaborators(ctx, server)
    if (given.email === owner.email || items.some((one) => one.userId && one.email === given.email))
      throw new Problem('duplicate', 'The server is already shared with this person')
    const open = await store.findInvitationOf(ctx.db, row.id, given.email)
    // Replacing an offer also revokes what it granted.
    if (open) requireHeld(ctx.actor, server, open.permissions)
    const used = await store.countPeople(ctx.db, row.id)
    await requireQuota(
      ctx,
      owner,
      () => [
        { capability: 'mayShare' },
        { key: 'maxServerCollaborators', used, requested: open ? 0 : 1 },
      ],
      { of: row },
    )
    await store.deleteInvitationsOf(ctx.db, row.id, given.email)
    const expiresAt = new Date(ctx.now.getTime() + VALID_DAYS * 86_400_000)
    // Without a mail server every link is shown, whomever it is for, so that it does not reveal who
    // has an account. Staff who manage customers know that anyway, and may create accounts.
    const id = randomUUIDv7()
    const trusted = hasPermission(ctx.actor, 'customers.manage')
    const token = tokenOf(ctx, id, trusted ? 'invited' : 'inviter')
    const isShown = await handOverLink(ctx, collaboratorInvite, { token, expiresAt })
    const invitation = await store.insertInvitation(ctx.db, {
      id,
      serverId: row.id,
      email: given.email,
      ...rights,
      newAccount: given.invite ?? false,
      invitedBy: ctx.actor.id,
      expiresAt,
      tokenHash: isShown ? hashOf(token) : null,
    })
    return describeInvitation(invitation, ctx.actor.email)
  })
}

/** Changes what a collaborator may do now, or after accepting; takes effect immediately. */
export async function edit(
  ctx: Ctx<User>,
  server: SharedServer,
  id: string,
  change: z.output<typeof EditCollaborator>,
): Promise<Collaborator> {
  refuseOwn(ctx, id)
  return ctx.transaction(async (ctx) => {
    if (!(await lockServer(ctx.db, server.id))) throw notFound('server')
    const present =
      (await store.findCollaborator(ctx.db, server.id, id)) ??
      (await store.findInvitation(ctx.db, server.id, id))
    if (!present) throw notFound('collaborator')
    const next = {
      permissions: change.permissions ? withImplied(change.permissions) : present.permissions,
      files: change.files ?? present.files,
    }
    const before = new Set(present.permissions)
    // Keeping a right is not granting it: only differences need to be held.
    requireHeld(ctx.actor, server, [...before.symmetricDifference(new Set(next.permissions))])
    requireFilesHeld(ctx.actor, server, next)
    if ('userId' in present) {
      await store.putCollaborator(ctx.db, { ...present, ...next })
      await announceAccess(ctx, server.id, present.userId)
    } else await store.updateInvitation(ctx.db, present.id, next)
    const { items } = await listCollaborators(ctx, server)
    const changed = items.find((one) => one.id === id)
    if (!changed) throw notFound('collaborator')
    return changed
  })
}

/** Ends somebody's access or withdraws an invitation, and closes their connections. */
export async function remove(ctx: Ctx<User>, server: SharedServer, id: string): Promise<void> {
  refuseOwn(ctx, id)
  await ctx.transaction(async (ctx) => {
    if (!(await lockServer(ctx.db, server.id))) throw notFound('server')
    const person = await store.findCollaborator(ctx.db, server.id, id)
    const invitation = person ? undefined : await store.findInvitation(ctx.db, server.id, id)
    requireHeld(ctx.actor, server, person?.permissions ?? invitation?.permissions ?? [])
    if (person) await end(ctx, server, person.userId, false)
    else if (invitation) await store.deleteInvitation(ctx.db, invitation.id)
    else throw notFound('collaborator')
  })
}

/** A collaborator leaves the server. */
export async function leave(ctx: Ctx<User>, server: SharedServer): Promise<void> {
  await ctx.transaction(async (ctx) => {
    if (!(await store.findCollaborator(ctx.db, server.id, ctx.actor.id)))
      throw new Problem(
        'conflict',
        'The server is not shared with you, so there is nothing to leave',
      )
    await end(ctx, server, ctx.actor.id, true)
  })
}

async function end(
  ctx: Ctx,
  { id, name }: SharedServer,
  userId: string,
  byThemselves: boolean,
): Promise<void> {
  await store.deleteCollaborator(ctx.db, id, userId)
  await announceAccess(ctx, id, userId)
  await ctx.emit('server.unshared', { userId, name, byThemselves })
}

/** Makes every instance close somebody's connections to a server and refresh their panel. */
export const announceAccess = (ctx: Ctx, serverId: string, userId: string): Promise<void> =>
  ctx.live.announce(ctx.db, { kind: 'server-access', id: `${serverId}:${userId}` })

function refuseOwn(ctx: Ctx<User>, id: string): void {
  if (id !== ctx.actor.id) return
  throw new Problem(
    'conflict',
    'You cannot change your own rights: ask the owner, or leave the server',
  )
}
