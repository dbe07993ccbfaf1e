import { defineDomain } from '../../domain.ts'
import { limitDefaults, limitSettings } from './areas.ts'
import { limitNotices, limitNoticeTypes } from './events.ts'
import { limitMailsInGerman } from './mails.de.ts'
import { limitLetters, limitMails } from './mails.ts'
import { limitNoticeTask } from './notices.ts'
import { limitActions, limitRecords } from './records.ts'
import * as routes from './routes.ts'

/** How much each customer may use. */
export const limits = defineDomain({
  name: 'limits',
  notifications: limitNotices,
  notificationTypes: limitNoticeTypes,
  settings: [limitSettings, limitDefaults],
  headings: [{ name: 'Customers, plans and limits', paths: ['/api/limits'] }],
  routes: [routes],
  actions: limitActions,
  records: limitRecords,
  mails: limitMails,
  mailTranslations: { de: limitMailsInGerman },
  letters: limitLetters,
  periodic: [limitNoticeTask],
})
