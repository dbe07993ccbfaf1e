import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    appearance: 'Appearance',
  },
  { de: () => import('./names.de.ts') },
)
