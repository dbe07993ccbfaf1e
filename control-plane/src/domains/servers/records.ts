import type { Records } from '../../events/records.ts'

export const serverActions = {
  'invitation accepted': 'accepted the invitation to {target}',
  'server.left_plan': 'kept {target} without its plan, free of charge',
} as const

/** Which events are recorded in the audit log. */
export const serverRecords: Records = {
  'server.shared': ({ serverId, email }) => ({
    action: 'invitation accepted',
    targetId: serverId,
    serverId,
    detail: { email },
  }),
}
