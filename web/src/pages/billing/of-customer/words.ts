import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** The subscriptions of a customer, as their host sees them. */
export const t = catalogue(
  {
    title: 'Subscriptions',
    all: 'All in Subscribers',
    none: 'No subscription now.',
    next: 'Next',
    owed: 'Owed',
    owes: '{amount}, due {when}',
    overdue: '{amount}, overdue since {when}',
    owesNothing: 'Nothing',
  },
  { de: () => import('./words.de.ts') },
)
