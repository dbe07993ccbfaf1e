import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    fleet: 'Fleet',
    catalogue: 'Catalogue',
    people: 'People',
    system: 'System',
  },
  { de: () => import('./names.de.ts') },
)
