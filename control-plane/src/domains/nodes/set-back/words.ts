import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about a set-back of the database. */
export const t = catalogue(
  {
    setBack: 'The database was set back in time',
    setBackBody:
      'It is an older state or another PostgreSQL than before. For a short time nothing is taken over, moved or started by itself, and the inventory of every node is compared with it. The page of failover shows what differs.',
  },
  { de: () => import('./words.de.ts') },
)
