import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What staff are told of sign-ups. */
export const t = catalogue(
  {
    pending: 'A sign-up waits for approval',
  },
  { de: () => import('./words.de.ts') },
)
