import { defineDomain } from '../domain.ts'
import { announceJobs } from './live.ts'
import * as routes from './routes.ts'
import { tidyJobs } from './tidy.ts'

export const jobs = defineDomain({
  name: 'jobs',
  routes: [routes],
  periodic: [tidyJobs],
  live: announceJobs,
})
