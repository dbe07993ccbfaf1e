import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about tickets. */
export const t = catalogue(
  {
    opened: '{ticket} was opened',
    customerReplied: 'The customer replied in {ticket}',
    assigned: 'You were given {ticket}',
    fileInfected: 'A scanner refused a file of {ticket}',
    answered: 'The support answered {ticket}',
    waiting: '{ticket} waits for your answer',
    rating: 'How was the support in {ticket}?',
  },
  { de: () => import('./words.de.ts') },
)
