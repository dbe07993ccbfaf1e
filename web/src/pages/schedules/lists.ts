/** Queries to refetch when the schedules of a server, or their runs, have changed. */
export const SCHEDULE_LISTS = [
  'GET /api/servers/{id}/schedules',
  'GET /api/servers/{id}/schedules/{scheduleId}/runs',
] as const
