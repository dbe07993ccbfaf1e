import type { EventHandlers } from '../events/events.ts'
import { record } from './record.ts'

/** Actions recorded apart from requests, with their wording. */
export const nonRequestActions = {
  'signed in': 'signed in',
  'identity proven': { words: 'confirmed who they are', looks: true },
  'password changed': 'changed their password',
  'recovery code used': 'used a recovery code',
  'limit forced': 'went beyond a limit of {target}',
  'invitation accepted': 'accepted the invitation to {target}',
  'viewing stopped': { words: 'stopped viewing the panel as {target}', looks: true },
  'viewing ended': { words: 'no longer views the panel as {target}', looks: true },
  'e-mail changed': 'changed their e-mail address',
  'e-mail change undone': 'undid a change of their e-mail address',
} as const

/** Actions recorded although no user is signed in. */
export const auditListeners: EventHandlers = {
  'account.signed_in': async (ctx, { userId, email, address, device }) => {
    await record(ctx, {
      action: 'signed in',
      targetId: userId,
      as: { id: userId, email, address },
      detail: { device },
    })
  },
  'account.proved': async (ctx, { userId }) => {
    await record(ctx, { action: 'identity proven', targetId: userId })
  },
  'account.password_changed': async (ctx, { userId, email, address, device }) => {
    await record(ctx, {
      action: 'password changed',
      targetId: userId,
      as: { id: userId, email, address },
      detail: { device },
    })
  },
  'account.recovery_code_used': async (ctx, { userId, email, address, left }) => {
    await record(ctx, {
      action: 'recovery code used',
      targetId: userId,
      as: { id: userId, email, address },
      detail: { left },
    })
  },
  'limit.forced': async (ctx, { userId, limit, message }) => {
    await record(ctx, { action: 'limit forced', targetId: userId, detail: { limit, message } })
  },
  'server.shared': async (ctx, { serverId, email }) => {
    await record(ctx, {
      action: 'invitation accepted',
      targetId: serverId,
      serverId,
      detail: { email },
    })
  },
  'account.viewing_ended': async (ctx, { viewer, address, userId, name, why }) => {
    await record(ctx, {
      action: why === 'stopped' ? 'viewing stopped' : 'viewing ended',
      targetId: userId,
      as: { ...viewer, address },
      detail: { target: name, why },
    })
  },
  'account.email_changed': async (ctx, { userId, email, newEmail }) => {
    await record(ctx, { action: 'e-mail changed', targetId: userId, detail: { email, newEmail } })
  },
  'account.email_restored': async (ctx, { userId, email, restoredEmail, address }) => {
    await record(ctx, {
      action: 'e-mail change undone',
      targetId: userId,
      as: { id: userId, email: restoredEmail, address },
      detail: { email, restoredEmail },
    })
  },
}
