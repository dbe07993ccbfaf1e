import type { IncidentState } from '@lodge/shared/status.ts'

/** States of incidents and maintenance, as the public page and mails name them. */
export const STATE_WORDS: Readonly<Record<IncidentState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
}
