import { defineDomain } from '../../domain.ts'
import { emailBudgets } from './budgets.ts'
import { emailNotices, emailNoticeTypes } from './events.ts'
import { emailListeners } from './listeners.ts'
import { ownMailsInGerman } from './mails.de.ts'
import { ownMails } from './mails.ts'
import { emailPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import { mailArea } from './settings.ts'
import { recordBuiltIns } from './wording.ts'

/** Mail: wording, sending and outbox. */
export const email = defineDomain({
  name: 'email',
  settings: [mailArea],
  headings: [{ name: 'Administration', paths: ['/api/email'] }],
  budgets: emailBudgets,
  routes: [routes],
  mails: ownMails,
  mailTranslations: { de: ownMailsInGerman },
  notifications: emailNotices,
  notificationTypes: emailNoticeTypes,
  periodic: emailPeriodicTasks,
  listeners: emailListeners,
  start: recordBuiltIns,
})
