import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    nothingFound: 'Nothing found',
  },
  { de: () => import('./words.de.ts') },
)
