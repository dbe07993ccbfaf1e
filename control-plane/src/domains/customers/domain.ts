import { defineDomain } from '../../domain.ts'
import { customerNotices, customerNoticeTypes } from './events.ts'
import { customerMailsInGerman } from './mails.de.ts'
import { customerLetters, customerMails } from './mails.ts'
import * as notes from './notes/routes.ts'
import { customerActions, customerRecords } from './records.ts'
import * as routes from './routes.ts'

/** Accounts of people: customers, and the account part of administrators. */
export const customers = defineDomain({
  name: 'customers',
  notifications: customerNotices,
  notificationTypes: customerNoticeTypes,
  headings: [
    {
      name: 'Customers, plans and limits',
      description: 'Who rents, and how much they may use.',
      paths: ['/api/customers'],
    },
  ],
  routes: [routes, notes],
  actions: customerActions,
  records: customerRecords,
  mails: customerMails,
  mailTranslations: { de: customerMailsInGerman },
  letters: customerLetters,
})
