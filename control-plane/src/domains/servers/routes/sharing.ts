import { newPassword, personName, ShownLink } from '@lodge/shared/accounts.ts'
import { FileRules } from '@lodge/shared/file-rules.ts'
import { ABILITY_NAMES } from '@lodge/shared/node-abilities.ts'
import { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { z } from 'zod'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import { authBudgets } from '../../auth/index.ts'
import { lackingOnNode } from '../abilities.ts'
import { acceptByLink, acceptOwn, listOwn, look, OwnInvitation } from '../access/accept.ts'
import { invitation, server } from '../access/access.ts'
import * as sharing from '../access/collaborators.ts'
import { rightsOf } from '../access/rights.ts'
import { deleteInvitation } from '../access/store.ts'

export const listCollaborators = get('/api/servers/{id}/collaborators', {
  summary: 'People with whom a server is shared, and open invitations',
  access: { who: 'user', on: server, may: 'collaborators.view' },
  reply: z.object({ items: z.array(sharing.Collaborator) }),
  handle: ({ ctx, server }) => sharing.listCollaborators(ctx, server),
})

export const addCollaborator = post('/api/servers/{id}/collaborators', {
  summary: 'Share a server: sends an invitation; again sends a new one',
  access: { who: 'user', on: server, may: 'collaborators.manage', throttle: authBudgets.invite },
  body: sharing.AddCollaborator,
  reply: sharing.Collaborator.extend({ link: ShownLink.optional() }),
  status: 201,
  recorded: 'shared {target}',
  showsLink: true,
  handle: ({ ctx, server, body }) => sharing.invite(ctx, server, body),
})

export const editCollaborator = patch('/api/servers/{id}/collaborators/{userId}', {
  summary: 'Change what a collaborator may do',
  access: { who: 'user', on: server, may: 'collaborators.manage' },
  body: sharing.EditCollaborator,
  reply: sharing.Collaborator,
  recorded: 'changed the access to {target}',
  handle: ({ ctx, server, params, body }) => sharing.edit(ctx, server, params.userId, body),
})

export const removeCollaborator = del('/api/servers/{id}/collaborators/{userId}', {
  summary: 'Remove a collaborator or take an invitation back',
  access: { who: 'user', on: server, may: 'collaborators.manage' },
  recorded: 'stopped sharing {target}',
  handle: ({ ctx, server, params }) => sharing.remove(ctx, server, params.userId),
})

export const showRights = get('/api/servers/{id}/rights', {
  summary: 'What the caller may do on a server',
  access: { who: 'user', on: server },
  reply: z.object({
    role: z.enum(['owner', 'collaborator', 'host']),
    permissions: z.array(ServerPermission),
    files: FileRules,
    /** What the node of the server cannot do, by ability, with the reason. */
    unsupported: z.partialRecord(z.enum(ABILITY_NAMES), z.string()),
  }),
  handle: async ({ ctx, server }) => {
    const { role, permissions, files } = rightsOf(ctx.actor, server)
    const unsupported = await lackingOnNode(ctx, server)
    return { role, permissions: [...permissions], files, unsupported }
  },
})

export const leaveServer = del('/api/servers/{id}/rights', {
  summary: 'Give a server back that somebody shares',
  access: { who: 'user', on: server },
  recorded: 'left {target}',
  handle: ({ ctx, server }) => sharing.leave(ctx, server),
})

const token = z.string().min(1).max(200)

export const lookAtInvitation = post('/api/invitations/look', {
  summary: 'What an invitation to a server is about',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({ token }),
  reply: z.object({
    email: z.string(),
    serverName: z.string(),
    inviter: z.string().nullable(),
    permissions: z.array(ServerPermission),
    expiresAt: z.iso.datetime(),
    /** The link was shown to the inviter and not mailed, so it proves nothing about the address. */
    signInFirst: z.boolean(),
    /** Without an account a password must be chosen, if new accounts are allowed. */
    hasAccount: z.boolean(),
    newAccount: z.boolean(),
  }),
  handle: ({ ctx, body }) => look(ctx, body.token),
})

export const acceptInvitation = post('/api/invitations/accept', {
  summary: 'Accept an invitation to a server; a new person chooses a password',
  access: { who: 'anyone', throttle: authBudgets.redeem },
  body: z.strictObject({
    token,
    password: newPassword.optional(),
    name: personName.optional(),
  }),
  reply: z.object({ serverId: z.uuid(), email: z.string() }),
  handle: ({ ctx, body }) => acceptByLink(ctx, body),
})

export const listInvitations = get('/api/invitations', {
  summary: 'Servers that others offer to share with the caller',
  access: { who: 'user' },
  reply: z.object({ items: z.array(OwnInvitation) }),
  handle: ({ ctx }) => listOwn(ctx),
})

export const acceptOwnInvitation = post('/api/invitations/{id}/accept', {
  summary: 'Accept an invitation that is for the caller',
  access: { who: 'user', on: invitation, own: true },
  reply: z.object({ serverId: z.uuid() }),
  recorded: 'accepted an invitation',
  handle: ({ ctx, invitation }) => acceptOwn(ctx, invitation),
})

export const declineInvitation = del('/api/invitations/{id}', {
  summary: 'Decline an invitation that is for the caller',
  access: { who: 'user', on: invitation, own: true },
  recorded: 'declined an invitation',
  handle: ({ ctx, invitation }) => deleteInvitation(ctx.db, invitation.id),
})
