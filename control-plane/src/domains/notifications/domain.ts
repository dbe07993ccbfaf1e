import { defineDomain } from '../../domain.ts'
import { channelBudgets } from './channels/budgets.ts'
import { channelNotices, channelNoticeTypes } from './channels/events.ts'
import { channelMailsInGerman } from './channels/mails.de.ts'
import { channelLetters, channelMails } from './channels/mails.ts'
import * as channelRoutes from './channels/routes.ts'
import { announceNotifications } from './inbox.ts'
import { notificationListeners } from './listeners.ts'
import { notificationPeriodicTasks } from './periodic-tasks.ts'
import * as routes from './routes.ts'

/** Each person's inbox in the panel, and channels that notify them elsewhere. */
export const notifications = defineDomain({
  name: 'notifications',
  headings: [
    { name: 'Account', paths: ['/api/notifications'] },
    {
      name: 'Notification channels',
      description: 'Where people are told of events besides their inbox.',
      paths: ['/api/notification-channels', '/api/notification-events', '/api/notification-styles'],
    },
  ],
  budgets: channelBudgets,
  routes: [routes, channelRoutes],
  mails: channelMails,
  mailTranslations: { de: channelMailsInGerman },
  letters: channelLetters,
  notifications: channelNotices,
  notificationTypes: channelNoticeTypes,
  periodic: notificationPeriodicTasks,
  listeners: notificationListeners,
  live: announceNotifications,
})
