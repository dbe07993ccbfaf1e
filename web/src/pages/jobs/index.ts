import type { Job } from '@lodge/shared/jobs.ts'
import { createRoute } from '@tanstack/react-router'
import ListChecks from 'lucide-react/icons/list-checks'
import { liveRows } from '../../live/rows.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { jobsSearch } from './jobs-search.ts'
import { names } from './names.ts'

const jobRows = liveRows<Job>('GET /api/jobs', 'GET /api/jobs/{id}')

const jobs = createRoute({
  getParentRoute: () => inside,
  path: paths.jobs,
  validateSearch: jobsSearch,
  component: page(() => import('./jobs-page.tsx')),
})

export default definePages({
  routes: {
    inside: [jobs],
  },
  navigation: () => [
    {
      to: paths.jobs,
      label: names.jobs,
      icon: ListChecks,
      group: 'fleet',
      forCustomers: true,
      shortcut: 'j',
      help: 'jobs',
    },
  ],
  rows: { job: jobRows },
  patches: { job: (client, job: Job) => jobRows.put(client, job) },
})
