import type { Records } from '../../events/records.ts'

export const scheduleActions = {
  'schedule ran alone': 'ran a schedule of {target} on its node, which was not connected',
} as const

/** Which events are recorded in the audit log. */
export const scheduleRecords: Records = {
  'schedule.ran_alone': ({ serverId, serverName, scheduleId, scheduleName, dueAt, state }) => ({
    action: 'schedule ran alone',
    targetId: serverId,
    serverId,
    detail: { target: serverName, scheduleId, scheduleName, dueAt, state },
  }),
}
