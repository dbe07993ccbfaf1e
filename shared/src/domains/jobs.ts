import { declare } from './declare.ts'

/** Work that continues after its request. */
export const jobs = declare({
  permissions: {
    'jobs.view': 'See every job',
    'jobs.manage': 'Cancel and retry every job',
  },
  presets: {
    operator: ['jobs.view', 'jobs.manage'],
    support_agent: ['jobs.view'],
    support_lead: ['jobs.view'],
  },
  problems: {
    job_in_progress: { status: 409, title: 'Another job is running' },
  },
})
