import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    schedules: 'Schedules',
  },
  { de: () => import('./names.de.ts') },
)
