import { defineDomain } from '../domain.ts'
import { jobNotices, jobNoticeTypes } from './board/events.ts'
import { announceJobs } from './board/live.ts'
import * as routes from './board/routes.ts'
import { jobFigures } from './figures.ts'
import { tidyJobs } from './tidy.ts'

export const jobs = defineDomain({
  name: 'jobs',
  notifications: jobNotices,
  notificationTypes: jobNoticeTypes,
  headings: [
    {
      name: 'Jobs and events',
      description: 'Work that goes on after its request was answered, and what happens meanwhile.',
      paths: ['/api/jobs'],
    },
  ],
  routes: [routes],
  periodic: [tidyJobs],
  live: announceJobs,
  figures: jobFigures,
})
