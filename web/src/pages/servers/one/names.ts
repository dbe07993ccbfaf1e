import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** Separate, because the list of servers loads these too. */
export const names = catalogue(
  {
    notGivenByOwner: 'The owner has not given you this permission ({right})',
    notInRole: 'Your role does not include this permission ({right})',
  },
  { de: () => import('./names.de.ts') },
)
