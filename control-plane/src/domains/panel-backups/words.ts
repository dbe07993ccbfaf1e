import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about backups of the panel. */
export const t = catalogue(
  {
    failed: 'The panel could not be backed up',
    overdue: 'The panel has no recent backup',
    newestFrom: 'The newest one is from {at}. Find out why later ones failed.',
    noneYet: 'None has succeeded yet. Find out why they fail.',
  },
  { de: () => import('./words.de.ts') },
)
