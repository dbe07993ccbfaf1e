import { randomUUIDv7 } from 'node:crypto'
import { THE_HOST } from '@lodge/shared/accounts.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { concerns, ServerPermission } from '@lodge/shared/server-permissions.ts'
import { z } from 'zod'
import type { Anyone, User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { readerOf } from '../../../moment-text.ts'
import { notFound, Problem } from '../../../problem.ts'
import {
  findUser,
  findUserByEmail,
  hashPassword,
  insertUser,
  lockOwner,
  type UserRow,
} from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import { readSettings, selfServiceSettings } from '../../settings/index.ts'
import { findServer, lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { announceAccess } from './collaborators.ts'
import { hashOf, provesAddress, tokenOf } from './link-token.ts'
import * as store from './store.ts'
import type { InvitationRow } from './tables.ts'

/** An invitation as the invited person sees it. */
export const OwnInvitation = z.object({
  id: z.uuid(),
  serverName: z.string(),
  inviter: z.string().nullable(),
  permissions: z.array(ServerPermission),
  expiresAt: z.iso.datetime(),
})
export type OwnInvitation = z.infer<typeof OwnInvitation>

const invalidLink = () =>
  new Problem(
    'invalid_token',
    'This link no longer works, because it was used or has expired: request a new one',
  )

/**
 * Queues the mail of new invitations. People without an account only get one if the inviter asked
 * for it.
 */
export async function mailInvitations(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (ctx) => {
    const rows = await store.takeUnmailed(ctx.db, 50)
    for (const row of rows) await mailInvitation(ctx, row)
    return rows.length
  })
}

/** Customers see administrators as the host, without an address. */
const shownToCustomers = (person: UserRow | undefined): string | null =>
  person?.role === 'admin' ? THE_HOST : (person?.email ?? null)

/** What an invitation offers on such a server: a container has no screen. */
const permissionsOn = (
  { kind }: { readonly kind: 'container' | 'vm' },
  { permissions }: InvitationRow,
): ServerPermission[] => permissions.filter((one) => concerns(kind, one))

async function mailInvitation(ctx: Ctx, row: InvitationRow): Promise<void> {
  const shown = tokenOf(ctx, row.id, 'inviter')
  const isShown = row.tokenHash?.equals(hashOf(shown)) ?? false
  const token = isShown ? shown : tokenOf(ctx, row.id, 'invited')
  await store.updateInvitation(ctx.db, row.id, { tokenHash: hashOf(token), mailedAt: ctx.now })
  const person = await findUserByEmail(ctx.db, row.email)
  const server = await findServer(ctx.db, row.serverId)
  const inviter = row.invitedBy === null ? undefined : await findUser(ctx.db, row.invitedBy)
  if (!server || !(person || row.newAccount)) return
  await ctx.emit('server.invited', {
    userId: person?.id ?? null,
    email: row.email,
    serverName: server.name,
    inviter: shownToCustomers(inviter) ?? THE_HOST,
    permissions: permissionsOn(server, row).map((one) => SERVER_PERMISSIONS[one].title),
    // People without an account read the mail as the inviter would.
    asked: inviter && !person?.passwordHash ? readerOf(inviter).language : undefined,
    token,
    expiresAt: row.expiresAt,
  })
}

/** What an invitation link offers, for whoever holds it. */
export async function look(
  ctx: Ctx,
  token: string,
): Promise<{
  email: string
  serverName: string
  inviter: string | null
  permissions: ServerPermission[]
  expiresAt: string
  signInFirst: boolean
  hasAccount: boolean
  newAccount: boolean
}> {
  const row = await store.findInvitationByToken(ctx.db, hashOf(token), false)
  const server = row && (await findServer(ctx.db, row.serverId))
  if (!row || !server) throw invalidLink()
  const inviter = row.invitedBy === null ? undefined : await findUser(ctx.db, row.invitedBy)
  const { collaboratorAccounts } = await readSettings(ctx.db, selfServiceSettings)
  const signInFirst = !provesAddress(ctx, row.id, token)
  return {
    email: row.email,
    serverName: server.name,
    inviter: shownToCustomers(inviter),
    permissions: permissionsOn(server, row),
    expiresAt: row.expiresAt.toISOString(),
    signInFirst,
    // Somebody who was only shown the link must not learn who has an account.
    hasAccount: signInFirst || (await findUserByEmail(ctx.db, row.email)) !== undefined,
    newAccount: !signInFirst && row.newAccount && collaboratorAccounts,
  }
}

/**
 * Accepts an invitation. A mailed link proves ownership of the address, so an existing account of
 * that address joins without signing in; others create an account by choosing a password. With a
 * link that was shown to the inviter only the invited account itself can join.
 */
export async function acceptByLink(
  ctx: Ctx<Anyone | User>,
  given: { token: string; password?: string | undefined; name?: string | undefined },
): Promise<{ serverId: string; email: string }> {
  // Checked before hashing, so that nobody can make us hash without a valid link.
  const found = await store.findInvitationByToken(ctx.db, hashOf(given.token), false)
  if (!found) throw invalidLink()
  const isInvited = ctx.actor.kind === 'user' && ctx.actor.email === found.email
  if (!isInvited && !provesAddress(ctx, found.id, given.token))
    throw new Problem(
      'forbidden',
      'The link was not sent to this address by mail: sign in with the account of the address to accept, or ask the host for one',
    )
  const passwordHash = given.password === undefined ? null : await hashPassword(given.password)
  try {
    return await ctx.transaction(async (ctx) => {
      const shared = await lockShared(ctx, found.serverId)
      // Read again under a lock: of two concurrent uses only one succeeds.
      const row = shared && (await store.findInvitationByToken(ctx.db, hashOf(given.token), true))
      if (!row) throw invalidLink()
      const person =
        (await findUserByEmail(ctx.db, row.email)) ??
        (await makeAccount(ctx, row, passwordHash, given.name))
      await join(ctx, row, shared, person.id)
      return { serverId: row.serverId, email: row.email }
    })
  } catch (error) {
    if (isDuplicate(error, 'users_email'))
      throw new Problem('conflict', 'The account was created in the meantime: open the link again')
    throw error
  }
}

/** Pending invitations of the signed-in user. */
export async function listOwn(ctx: Ctx<User>): Promise<{ items: OwnInvitation[] }> {
  const rows = await store.listInvitationsTo(ctx.db, ctx.actor.email)
  return {
    items: rows.map(({ row, serverName, kind, inviter }) => ({
      id: row.id,
      serverName,
      inviter,
      permissions: permissionsOn({ kind }, row),
      expiresAt: row.expiresAt.toISOString(),
    })),
  }
}

/** Accepts the caller's own invitation; being signed in replaces the link. */
export async function acceptOwn(
  ctx: Ctx<User>,
  invitation: InvitationRow,
): Promise<{ serverId: string }> {
  return ctx.transaction(async (ctx) => {
    const shared = await lockShared(ctx, invitation.serverId)
    const row = shared && (await store.holdInvitation(ctx.db, invitation.id))
    if (!row) throw notFound('invitation')
    await join(ctx, row, shared, ctx.actor.id)
    return { serverId: row.serverId }
  })
}

interface Shared {
  readonly owner: UserRow
  readonly server: ServerRow
}

/** Locks the owner before the server, as everywhere. */
async function lockShared(ctx: Ctx, serverId: string): Promise<Shared | undefined> {
  const found = await findServer(ctx.db, serverId)
  const owner = found && (await lockOwner(ctx.db, found.ownerId))
  const server = owner && (await lockServer(ctx.db, serverId))
  return server && { owner, server }
}

async function join(
  ctx: Ctx,
  invitation: InvitationRow,
  shared: Shared,
  userId: string,
): Promise<void> {
  const { id, serverId, email, permissions, files, invitedBy } = invitation
  const { server } = shared
  await store.deleteInvitation(ctx.db, id)
  // The server may have been given to this person meanwhile: an owner needs no share.
  if (userId === server.ownerId) return
  await requireShareable(ctx, invitation, shared, userId)
  await store.putCollaborator(ctx.db, { serverId, userId, permissions, files, invitedBy })
  await announceAccess(ctx, serverId, userId)
  const { name: serverName, ownerId } = server
  await ctx.emit('server.shared', { serverId, serverName, ownerId, email })
}

/** The plan of the server, or the limits of its owner, may have been lowered since the invitation. */
async function requireShareable(
  ctx: Ctx,
  { serverId, invitedBy }: InvitationRow,
  { owner, server }: Shared,
  userId: string,
): Promise<void> {
  const inviter = invitedBy === null ? undefined : await findUser(ctx.db, invitedBy)
  // Capabilities bind customers, not the host.
  if (inviter?.role === 'admin') return
  // Open invitations do not count: after a smaller plan, each would keep the others from being accepted.
  const used = await store.countCollaborators(ctx.db, serverId)
  const isNew = !(await store.findCollaborator(ctx.db, serverId, userId))
  const quota = await quotaOf(ctx, owner)
  const fits = await quota.admits(
    () => [
      { capability: 'mayShare' },
      { key: 'maxServerCollaborators', used, requested: isNew ? 1 : 0 },
    ],
    { of: server },
  )
  if (!fits)
    throw new Problem(
      'conflict',
      'The owner may not share this server with more people now: ask the owner, then accept again',
    )
}

async function makeAccount(
  ctx: Ctx,
  row: InvitationRow,
  passwordHash: string | null,
  name: string | undefined,
) {
  const { collaboratorAccounts } = await readSettings(ctx.db, selfServiceSettings)
  if (!row.newAccount || !collaboratorAccounts)
    throw new Problem(
      'forbidden',
      'There is no account with this address: ask the host for one, then open the link again',
    )
  if (passwordHash === null)
    throw new Problem('validation_failed', 'Choose a password: there is no account yet', {
      fields: { errors: [{ pointer: '/password', detail: 'is needed for a new account' }] },
    })
  const { email } = row
  const user = await insertUser(ctx.db, {
    id: randomUUIDv7(),
    email,
    name: name ?? null,
    role: 'customer',
    passwordHash,
    preferences: { mode: null },
  })
  await ctx.emit('account.opened', { userId: user.id, email })
  return user
}
