import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about suspensions and appeals. */
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
    abuse: 'Abuse',
    abuseText:
      'We received reports that your servers were used for abuse, such as attacks, spam or phishing. Please tell us what happened and what you have done about it.',
    dispute: 'Payment dispute',
    disputeText:
      'A payment of your account was disputed or looks fraudulent. Please contact us to clear this up.',
    terms: 'Terms of service',
    termsText:
      'Your use of the service breaks our terms. Please read them and tell us how you will keep to them.',
    compromised: 'Compromised account',
    compromisedText:
      'Somebody else seems to have had access to your account. We suspended it to protect your data. Please contact us.',
  },
  { de: () => import('./words.de.ts') },
)
