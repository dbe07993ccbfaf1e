import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to the people of a server say about its files. */
export const t = catalogue(
  {
    hasOlder: '{server} has older files',
    hasOlderBody:
      'The host had it take an older copy. Its files are those of {at}; later changes are missing. For a few days, the host may still have them.',
  },
  { de: () => import('./words.de.ts') },
)
