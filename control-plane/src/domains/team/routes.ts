import { ShownLink } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { del, get, post, put } from '../../http/endpoint.ts'
import { authBudgets } from '../auth/index.ts'
import { administrator } from './access.ts'
import { PermissionCatalogue, permissionCatalogue } from './catalogue.ts'
import * as team from './team.ts'
import { confirmTransfer, judgeConfirmation, judgeRequest, requestTransfer } from './transfer.ts'

const identity = {
  password: z.string().min(1).max(1024),
  code: z.string().trim().min(1).max(64),
}

export const showPermissions = get('/api/permissions', {
  summary: 'Permissions there are, and presets of them',
  access: { who: 'user' },
  reply: PermissionCatalogue,
  handle: async ({ ctx }) => permissionCatalogue(ctx.actor),
})

export const listTeam = get('/api/team', {
  summary: 'Administrators',
  access: { who: 'admin', may: 'team.view' },
  reply: z.object({ items: z.array(team.Administrator) }),
  handle: ({ ctx }) => team.listTeam(ctx),
})

export const inviteAdministrator = post('/api/team', {
  summary: 'Invite an administrator',
  access: { who: 'admin', may: 'team.manage', stepUp: true },
  body: team.InviteAdministrator,
  reply: team.Administrator.extend({ link: ShownLink.optional() }),
  status: 201,
  recorded: 'invited the administrator {target}',
  showsLink: true,
  handle: ({ ctx, body }) => team.invite(ctx, body),
})

export const editAdministrator = put('/api/team/{id}/permissions', {
  summary: 'Change what an administrator may do',
  access: { who: 'admin', may: 'team.manage', on: administrator, stepUp: true },
  body: team.EditPermissions,
  reply: team.Administrator,
  recorded: 'changed the permissions of {target}',
  handle: ({ ctx, administrator, body }) =>
    team.editPermissions(ctx, administrator, body.permissions),
})

export const removeFactorsOfAdministrator = del('/api/team/{id}/second-factors', {
  summary:
    'Remove every second factor of an administrator who lost them, and end all access to the account',
  access: { who: 'admin', may: 'team.manage', on: administrator, stepUp: true },
  recorded: 'removed the second factors of {target}',
  handle: ({ ctx, administrator }) => team.removeFactors(ctx, administrator),
})

export const removeAdministrator = del('/api/team/{id}', {
  summary: 'Remove an administrator',
  access: { who: 'admin', may: 'team.manage', on: administrator, stepUp: true },
  recorded: 'removed the administrator {target}',
  handle: ({ ctx, administrator }) => team.remove(ctx, administrator),
})

export const requestTransferOfTeam = post('/api/team/transfer', {
  summary: 'Ask an administrator to become the super administrator',
  access: { who: 'admin', may: 'team.manage', throttle: authBudgets.password },
  body: z.strictObject({ userId: z.uuid().toLowerCase(), ...identity }),
  reply: z.object({ expiresAt: z.iso.datetime() }),
  status: 202,
  recorded: 'started a transfer of the super administrator role',
  judge: ({ ctx, body }) => judgeRequest(ctx, body),
  handle: ({ ctx, body }) => requestTransfer(ctx, body.userId),
})

export const confirmTransferOfTeam = post('/api/team/transfer/confirm', {
  summary: 'Become the super administrator',
  access: { who: 'user', throttle: authBudgets.password },
  body: z.strictObject({ token: z.string().min(1).max(200), ...identity }),
  recorded: 'became the super administrator',
  judge: ({ ctx, body }) => judgeConfirmation(ctx, body),
  handle: ({ ctx, body }) => confirmTransfer(ctx, body.token),
})
