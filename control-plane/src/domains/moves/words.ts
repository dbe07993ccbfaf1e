import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to the people of a server say about its files. */
export const t = catalogue(
  {
    hasOlder: '{server} has older files',
    hasOlderBody:
      'The host had it take an older copy. Its files are those of {at}; later changes are missing. For a few days, the host may still have them.',
    hasNewer: '{server} has its newer files again',
    hasNewerBody:
      'The host had it take the files that it had until {at}. What was written to it since is missing. For a few days, the host may still have that.',
  },
  { de: () => import('./words.de.ts') },
)
