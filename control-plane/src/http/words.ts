import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** Texts around the help documents. */
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
