import type { Records } from '../../events/records.ts'

export const customerActions = { 'e-mail changed': 'changed their e-mail address' } as const

/** Which events are recorded in the audit log. */
export const customerRecords: Records = {
  'account.email_changed': ({ userId, email, newEmail }) => ({
    action: 'e-mail changed',
    targetId: userId,
    detail: { email, newEmail },
  }),
}
