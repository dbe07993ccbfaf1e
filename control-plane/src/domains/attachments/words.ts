import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about files. */
export const t = catalogue(
  {
    refused: 'A scanner refused a file before it was sent',
    refusedOf: 'A scanner refused a file of {email} before it was sent',
  },
  { de: () => import('./words.de.ts') },
)
