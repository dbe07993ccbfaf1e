import { defineDomain } from '../../domain.ts'
import { signupBudgets } from './budgets.ts'
import { signupNotices, signupNoticeTypes } from './events.ts'
import { signupMailsInGerman } from './mails.de.ts'
import { signupMails } from './mails.ts'
import { signupPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'
import { signupArea } from './settings.ts'

/** New accounts. */
export const signup = defineDomain({
  name: 'signup',
  settings: [signupArea],
  headings: [{ name: 'Sign-up', description: 'New accounts.', paths: ['/api/signup'] }],
  budgets: signupBudgets,
  routes: [routes],
  mails: signupMails,
  mailTranslations: { de: signupMailsInGerman },
  notifications: signupNotices,
  notificationTypes: signupNoticeTypes,
  periodic: signupPeriodicTasks,
})
