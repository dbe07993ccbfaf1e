import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about the look of the panel. */
export const t = catalogue(
  {
    announcement: 'Announcement from {panel}',
  },
  { de: () => import('./words.de.ts') },
)
