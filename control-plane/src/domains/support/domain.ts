import { REPORT_DAYS } from '@lodge/shared/support/reports.ts'
import { answer } from '../../answers.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { mayPassUnscanned } from '../attachments/index.ts'
import { readSettings } from '../settings/index.ts'
import { deleteOldLinks } from './abuse/link-store.ts'
import * as abuse from './abuse/routes.ts'
import { abusePages } from './abuse/served.ts'
import { abuseArea } from './abuse/settings.ts'
import { helpCenterPages } from './articles/page-text.ts'
import * as articles from './articles/routes.ts'
import { deskAutomation } from './automation.ts'
import { supportBudgets } from './budgets.ts'
import { dueGoals } from './clocks/due.ts'
import { goalNotices, goalNoticeTypes } from './clocks/events.ts'
import * as config from './config/routes.ts'
import * as tiers from './config/tier-routes.ts'
import * as desk from './desk/routes.ts'
import { deskSettings } from './desk/settings.ts'
import * as diagnostics from './diagnostics/routes.ts'
import { deleteOldDrafts } from './drafts/store.ts'
import * as helpUse from './help-use/routes.ts'
import { deleteOldUse } from './help-use/store.ts'
import * as hours from './hours/routes.ts'
import { hoursSettings } from './hours/settings.ts'
import { endIdleTickets, endSnoozes } from './idle/idle.ts'
import { ownFilesOfMails } from './inbound/ownerless.ts'
import * as inbound from './inbound/routes.ts'
import { inboundArea } from './inbound/settings.ts'
import { deleteOldMails } from './inbound/store.ts'
import { deleteOldUnchecked } from './inbound/unchecked-store.ts'
import * as macros from './macros/routes.ts'
import { ticketMailsInGerman } from './mail/mails.de.ts'
import { ticketMails } from './mail/mails.ts'
import { ticketNotices, ticketNoticeTypes } from './notices/notices.ts'
import * as reports from './reports/routes.ts'
import { ruleNotices, ruleNoticeTypes } from './rules/events.ts'
import { idleRules } from './rules/idle.ts'
import * as rules from './rules/routes.ts'
import { deleteOldRuns } from './rules/runs-store.ts'
import { moveAddress } from './tickets/address-store.ts'
import * as drafts from './tickets/draft-routes.ts'
import { showNewsOfFile, tellInfected } from './tickets/file-news.ts'
import { announceTickets } from './tickets/live.ts'
import { forgetCustomer } from './tickets/remove.ts'
import * as tickets from './tickets/routes.ts'
import { forgetOldWords, learnNewWords } from './tickets/words.ts'
import * as work from './tickets/work-routes.ts'

/** Days for which an unsent draft is kept after its last change. */
const DRAFT_DAYS = 30
/** Days for which the record of what rules did is kept. */
const RUN_DAYS = 90

/** Help for customers: the help center and the support desk. */
export const support = defineDomain({
  name: 'support',
  headings: [
    {
      name: 'Support',
      description: 'The help center and the support desk.',
      paths: ['/api/support'],
    },
  ],
  routes: [
    articles,
    helpUse,
    diagnostics,
    tickets,
    work,
    drafts,
    config,
    desk,
    hours,
    tiers,
    rules,
    reports,
    macros,
    inbound,
    abuse,
  ],
  settings: [deskSettings, hoursSettings, inboundArea, abuseArea],
  mails: ticketMails,
  mailTranslations: { de: ticketMailsInGerman },
  budgets: supportBudgets,
  listeners: {
    ...deskAutomation,
    'customer.deleted': (ctx, { userId }) => forgetCustomer(ctx, userId),
    'account.email_changed': ({ db }, { userId, newEmail }) => moveAddress(db, userId, newEmail),
    'account.email_restored': ({ db }, { userId, restoredEmail }) =>
      moveAddress(db, userId, restoredEmail),
    'attachment.scanned': showNewsOfFile,
    'attachment.previewed': showNewsOfFile,
    'attachment.infected': tellInfected,
  },
  answers: [
    answer(
      mayPassUnscanned,
      async ({ db }) => (await readSettings(db, deskSettings)).passUnscanned,
    ),
  ],
  notifications: { ...goalNotices, ...ruleNotices, ...ticketNotices },
  notificationTypes: { ...goalNoticeTypes, ...ruleNoticeTypes, ...ticketNoticeTypes },
  periodic: [
    dueGoals,
    idleRules,
    endSnoozes,
    endIdleTickets,
    ownFilesOfMails,
    learnNewWords,
    forgetOldWords,
    periodicTask('support.tidy_mail', 3600, async ({ db }) => ({
      deleted: (await deleteOldMails(db)) + (await deleteOldUnchecked(db)),
    })),
    periodicTask('support.tidy_report_links', 3600, async ({ db }) => ({
      deleted: await deleteOldLinks(db),
    })),
    periodicTask('support.tidy_drafts', 3600, async ({ db }) => ({
      deleted: await deleteOldDrafts(db, DRAFT_DAYS),
    })),
    periodicTask('support.tidy_help_use', 3600, async ({ db }) => ({
      deleted: await deleteOldUse(db, REPORT_DAYS.oldest),
    })),
    periodicTask('support.tidy_rule_runs', 3600, async ({ db }) => ({
      deleted: await deleteOldRuns(db, RUN_DAYS),
    })),
  ],
  live: announceTickets,
  served: (services) => ({ ...abusePages(services), ...helpCenterPages(services) }),
})
