import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    announcement: 'Announcement',
    readMore: 'Read more',
    hideAnnouncement: 'Hide the announcement',
  },
  { de: () => import('./words.de.ts') },
)
