import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What staff are told of plugins. */
export const t = catalogue(
  {
    failed: '{plugin} failed and was turned off',
  },
  { de: () => import('./words.de.ts') },
)
