import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications to staff say about nodes that know more than the database. */
export const t = catalogue(
  {
    ahead: '{node} knows more than the database',
    aheadBody:
      'The database was set back in time. {servers, plural, one {One server differs} other {# servers differ}}: {names}. Nothing is started, stopped or deleted there until you decide on the page of failover.',
  },
  { de: () => import('./words.de.ts') },
)
