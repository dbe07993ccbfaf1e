import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    usageReports: 'Usage reporting',
  },
  { de: () => import('./names.de.ts') },
)
