import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    tokens: 'API tokens',
    newToken: 'New API token',
    newTokenKeywords: 'key program',
  },
  { de: () => import('./names.de.ts') },
)
