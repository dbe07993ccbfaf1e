import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What stands around the documents for people who use the panel. */
export const t = catalogue(
  {
    documentation: 'Documentation',
    forEverybody: 'Your servers and your account',
    forOperators: 'Running the host',
    forPrograms: 'Programming',
    apiReference: 'API reference',
  },
  { de: () => import('./words.de.ts') },
)
