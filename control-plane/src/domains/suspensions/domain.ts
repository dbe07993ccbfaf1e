import { defineDomain } from '../../domain.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { suspensionNotices, suspensionNoticeTypes } from './events.ts'
import { tellInfected } from './hearing/infected.ts'
import * as appeals from './hearing/routes.ts'
import { deleteServersDue, liftOver } from './lift.ts'
import { suspensionMailsInGerman } from './mails.de.ts'
import { suspensionLetters, suspensionMails } from './mails.ts'
import { suspensionActions, suspensionRecords } from './records.ts'
import { eraseOld, forgetCustomer } from './retention.ts'
import * as routes from './routes.ts'
import { suspensionSettings } from './settings.ts'
import { ANY_DELETING, ANY_OVER } from './store.ts'

/** Suspended customers: what a suspension does, how it ends, and appeals against it. */
export const suspensions = defineDomain({
  name: 'suspensions',
  headings: [
    {
      name: 'Suspension',
      description: 'Customers who may not use their account for a while, and their appeals.',
      paths: [
        '/api/suspension',
        '/api/appeals',
        '/api/customers/{id}/suspend',
        '/api/customers/{id}/suspension',
        '/api/support/suspension-settings',
      ],
    },
  ],
  routes: [routes, appeals],
  settings: [suspensionSettings],
  notifications: suspensionNotices,
  notificationTypes: suspensionNoticeTypes,
  mails: suspensionMails,
  mailTranslations: { de: suspensionMailsInGerman },
  letters: suspensionLetters,
  actions: suspensionActions,
  records: suspensionRecords,
  listeners: {
    'customer.deleted': (ctx, { userId }) => forgetCustomer(ctx, userId),
    'attachment.infected': tellInfected,
  },
  periodic: [
    watcher('suspensions.over', ANY_OVER, async (services) => ({
      lifted: await liftOver(services),
    })),
    watcher('suspensions.delete_servers', ANY_DELETING, async (services) => ({
      scheduled: await deleteServersDue(services),
    })),
    periodicTask('suspensions.erase', 3600, async (services) => ({
      erased: await eraseOld(services),
    })),
  ],
})
