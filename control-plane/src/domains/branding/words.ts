import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What people are told of the look of the panel. */
export const t = catalogue(
  {
    announcement: 'Announcement from {panel}',
  },
  { de: () => import('./words.de.ts') },
)
