import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What people are told of jobs that ended. */
export const t = catalogue(
  {
    done: 'Done: {title}',
    failed: 'Failed: {title}',
    finished: 'The job is finished.',
  },
  { de: () => import('./words.de.ts') },
)
