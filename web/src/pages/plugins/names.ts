import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    plugins: 'Plugins',
  },
  { de: () => import('./names.de.ts') },
)
