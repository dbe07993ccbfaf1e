import type { Records } from '../../events/records.ts'

/** Wording of what is recorded below. */
export const accountActions = {
  'signed in': 'signed in',
  'identity proven': { words: 'confirmed who they are', looks: true },
  'password changed': 'changed their password',
  'recovery code used': 'used a recovery code',
  'viewing stopped': { words: 'stopped viewing the panel as {target}', looks: true },
  'viewing ended': { words: 'no longer views the panel as {target}', looks: true },
  'e-mail change undone': 'undid a change of their e-mail address',
  'second factors removed by command': 'removed the second factors of {target} by a command',
  'password link made by command': 'made a link to a new password of {target} by a command',
} as const

/** Which events are recorded in the audit log, most of them although no user is signed in. */
export const accountRecords: Records = {
  'account.signed_in': ({ userId, email, address, device }) => ({
    action: 'signed in',
    targetId: userId,
    as: { id: userId, email, address },
    detail: { device },
  }),
  'account.proved': ({ userId }) => ({ action: 'identity proven', targetId: userId }),
  'account.password_changed': ({ userId, email, address, device }) => ({
    action: 'password changed',
    targetId: userId,
    as: { id: userId, email, address },
    detail: { device },
  }),
  'account.recovery_code_used': ({ userId, email, address, left }) => ({
    action: 'recovery code used',
    targetId: userId,
    as: { id: userId, email, address },
    detail: { left },
  }),
  'account.viewing_ended': ({ viewer, address, userId, name, why }) => ({
    action: why === 'stopped' ? 'viewing stopped' : 'viewing ended',
    targetId: userId,
    as: { ...viewer, address },
    detail: { target: name, why },
  }),
  'account.email_restored': ({ userId, email, restoredEmail, address }) => ({
    action: 'e-mail change undone',
    targetId: userId,
    as: { id: userId, email: restoredEmail, address },
    detail: { email, restoredEmail },
  }),
}
