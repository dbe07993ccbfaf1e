import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about sign-ups. */
export const t = catalogue(
  {
    pending: 'A sign-up waits for approval',
  },
  { de: () => import('./words.de.ts') },
)
