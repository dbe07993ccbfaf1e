import type { Records } from '../../events/records.ts'

export const limitActions = { 'limit forced': 'went beyond a limit of {target}' } as const

/** Which events are recorded in the audit log. */
export const limitRecords: Records = {
  'limit.forced': ({ userId, limit, message }) => ({
    action: 'limit forced',
    targetId: userId,
    detail: { limit, message },
  }),
}
