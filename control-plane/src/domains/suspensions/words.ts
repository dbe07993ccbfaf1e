import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What people are told of suspensions and appeals. */
export const t = catalogue(
  {
    suspended: 'Your account was suspended',
    suspendedUntil: 'Until {at}.',
    over: 'Your account is no longer suspended',
    overBody: 'You can use everything again.',
    appeals: '{email} appeals their suspension',
    appealsAgain: '{email} replied in their appeal',
    appealWaits: 'The appeal waits for an answer.',
    fileInfected: 'A scanner refused a file of the appeal of {email}',
    answered:
      '{decision, select, granted {Your appeal was granted} rejected {Your appeal was rejected} other {Your appeal was answered}}',
    readAnswer: 'Read the answer to your appeal.',
    decided: '{decision, select, granted {granted} other {rejected}}',
  },
  { de: () => import('./words.de.ts') },
)
