import { loadTranslations } from '@lodge/shared/words/bind.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import { audit } from './audit/module.ts'
import { blobs } from './blobs/module.ts'
import { defineDomain } from './domain.ts'
import { domains } from './domains/index.ts'
import { httpBudgets } from './http/budgets.ts'
import * as description from './http/reference/description.ts'
import { jobs } from './jobs/module.ts'
import * as live from './live/routes.ts'
import { storageTask } from './storage-task.ts'

/** All parts of Lodge, bottom to top: the kernel's own, then the domains. */
export const modules = [
  defineDomain({
    name: 'http',
    headings: [
      {
        name: 'This description',
        description: 'The interface itself.',
        paths: ['/api/openapi.json'],
      },
    ],
    budgets: httpBudgets,
    routes: [description],
    periodic: [storageTask],
  }),
  defineDomain({
    name: 'live',
    headings: [{ name: 'Jobs and events', paths: ['/api/events'] }],
    routes: [live],
  }),
  jobs,
  blobs,
  ...domains,
  audit,
] as const

// Mails and notifications are written at once, in whatever language their reader has.
await Promise.all(LANGUAGES.map(loadTranslations))
