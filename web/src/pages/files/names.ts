import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    files: 'Files',
  },
  { de: () => import('./names.de.ts') },
)
