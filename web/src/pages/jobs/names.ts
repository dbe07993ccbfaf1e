import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    jobs: 'Jobs',
  },
  { de: () => import('./names.de.ts') },
)
