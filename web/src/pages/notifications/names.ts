import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const names = catalogue(
  {
    notifications: 'Notifications',
    notificationsKeywords: 'inbox bell',
  },
  { de: () => import('./names.de.ts') },
)
