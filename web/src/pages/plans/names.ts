import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    plans: 'Plans',
    newPlan: 'New plan',
  },
  { de: () => import('./names.de.ts') },
)
