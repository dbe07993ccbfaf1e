import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about snapshots. */
export const t = catalogue(
  {
    taken: 'A snapshot of {server} was taken',
    takenAs: 'As {snapshot}.',
    failed: 'The snapshot of {server} failed',
  },
  { de: () => import('./words.de.ts') },
)
