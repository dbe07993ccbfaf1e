import { defineDomain } from '../../domain.ts'
import { authBudgets } from './budgets.ts'
import { accountNotices, accountNoticeTypes } from './events.ts'
import { authListeners } from './listeners.ts'
import { announceSessions } from './live.ts'
import { accountMailsInGerman } from './mails.de.ts'
import { accountLetters, accountMails } from './mails.ts'
import { authPeriodicTasks } from './periodic-tasks.ts'
import { accountActions, accountRecords } from './records.ts'
import * as customers from './routes/customers.ts'
import * as factors from './routes/factors.ts'
import * as recovery from './routes/recovery.ts'
import * as security from './routes/security.ts'
import * as sessions from './routes/sessions.ts'
import * as tokens from './routes/tokens.ts'
import * as viewing from './routes/viewing.ts'

/** Identity: sessions, second factors, recovery, API tokens. */
export const auth = defineDomain({
  name: 'auth',
  notifications: accountNotices,
  notificationTypes: accountNoticeTypes,
  headings: [
    {
      name: 'Account',
      description: 'Signing in, second factors and what belongs to one account.',
      paths: ['/api/auth'],
    },
    { name: 'Administration', paths: ['/api/tokens'] },
  ],
  budgets: authBudgets,
  routes: [sessions, recovery, factors, tokens, security, viewing, customers],
  actions: accountActions,
  records: accountRecords,
  mails: accountMails,
  mailTranslations: { de: accountMailsInGerman },
  letters: accountLetters,
  periodic: authPeriodicTasks,
  listeners: authListeners,
  live: announceSessions,
})
