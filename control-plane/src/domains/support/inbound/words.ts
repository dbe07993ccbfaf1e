import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** Notes below a mail about files that were left out. */
export const t = catalogue(
  {
    unnamed: 'a file without a name',
    notTaken: 'Left out: {names}',
    repeated: 'Kept once, because another file is the same: {names}',
    noRoom: 'Left out, because the account has no room for more files: {names}',
  },
  { de: () => import('./words.de.ts') },
)
