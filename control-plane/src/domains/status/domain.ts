import { answer } from '../../answers.ts'
import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { otherAnnouncement } from '../branding/index.ts'
import { statusBudgets } from './budgets.ts'
import * as components from './components/routes.ts'
import { statusNotices, statusNoticeTypes } from './events.ts'
import { announcedIncident } from './incidents/announcement.ts'
import * as incidents from './incidents/routes.ts'
import { deleteOldIncidents } from './incidents/store.ts'
import { statusMailsInGerman } from './mails.de.ts'
import { statusMails } from './mails.ts'
import { markPage } from './page/mark.ts'
import * as page from './page/routes.ts'
import { statusPages } from './page/served.ts'
import { statusArea } from './settings.ts'
import { mailSubscribers, mailUpdate } from './subscribers/mailing.ts'
import * as subscribers from './subscribers/routes.ts'
import { ANY_MAILING, ANY_REQUEST, deleteUnconfirmed } from './subscribers/store.ts'
import { mailLinks } from './subscribers/subscribe.ts'
import { recordPresent } from './uptime/record.ts'
import { deleteOldSpans } from './uptime/store.ts'

/** The public page that shows what works: components, incidents, maintenance and uptime. */
export const status = defineDomain({
  name: 'status',
  headings: [
    {
      name: 'Status page',
      description: 'What the public page at `/status` shows.',
      paths: ['/api/status'],
    },
  ],
  routes: [page, components, incidents, subscribers],
  settings: [statusArea],
  budgets: statusBudgets,
  mails: statusMails,
  mailTranslations: { de: statusMailsInGerman },
  notifications: statusNotices,
  notificationTypes: statusNoticeTypes,
  answers: [answer(otherAnnouncement, announcedIncident)],
  listeners: { 'status.told': (ctx, { updateId }) => mailUpdate(ctx, updateId) },
  periodic: [
    // Often enough that each minute is recorded soon after it begins.
    periodicTask('status.record', 5, async (services) => ({
      recorded: await recordPresent(services),
    })),
    watcher('status.requests', ANY_REQUEST, async (services) => ({
      mailed: await mailLinks(contextFor(services, { kind: 'system' })),
    })),
    watcher('status.mail', ANY_MAILING, async (services) => ({
      mailed: await mailSubscribers(contextFor(services, { kind: 'system' })),
    })),
    periodicTask('status.tidy', 3600, async ({ db }) => ({
      minutes: await deleteOldSpans(db),
      incidents: await deleteOldIncidents(db),
      subscribers: await deleteUnconfirmed(db),
    })),
  ],
  served: statusPages,
  page: markPage,
})
