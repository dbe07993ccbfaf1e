import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to agents say about goals. */
export const t = catalogue(
  {
    near: '{goal, select, first {First answer} next {Next answer} other {Solution}} for {ticket} is due soon',
    late: '{goal, select, first {First answer} next {Next answer} other {Solution}} for {ticket} is late',
  },
  { de: () => import('./words.de.ts') },
)
