import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    status: 'Status page',
    keywords: 'incident maintenance uptime outage public',
  },
  { de: () => import('./names.de.ts') },
)
