import { answer } from '../../answers.ts'
import { contextFor } from '../../context.ts'
import { defineDomain } from '../../domain.ts'
import { periodicTask, watcher } from '../../jobs/periodic-task.ts'
import { pluginInUse } from '../plugins/index.ts'
import { keptAddresses } from '../servers/index.ts'
import { advanceDue } from './advance.ts'
import { billingBudgets } from './budgets.ts'
import { ANY_CHARGE } from './charges/charge-store.ts'
import { ANY_PAGE } from './charges/page-store.ts'
import { ANY_PROVIDER_DELETION } from './charges/provider-deletion-store.ts'
import { forgetCustomer } from './forget.ts'
import { IMPORT } from './imports/import.ts'
import { inviteImported } from './imports/invite.ts'
import * as imports from './imports/routes.ts'
import { ANY_INVITATION } from './imports/store.ts'
import { backUpEnded } from './last-backup.ts'
import { settleBackup } from './last-backup-store.ts'
import {
  billingLetters,
  billingMails,
  billingMailsInGerman,
  billingNotices,
  billingNoticeTypes,
} from './news.ts'
import { pauseSubscriptionsOf, unpauseSubscriptionsOf } from './pause.ts'
import { chargeDue } from './providers/charge-due.ts'
import { ANY_EVENT } from './providers/event-store.ts'
import { whyInUse } from './providers/in-use.ts'
import { fetchPages } from './providers/pages.ts'
import { projectEvents } from './providers/project.ts'
import { forgetDue } from './providers/provider-deletions.ts'
import { refetchPayments } from './providers/refetch.ts'
import { provisionDue } from './provision.ts'
import { reconcile } from './reconcile.ts'
import { refundDue } from './refunds/refund-due.ts'
import { ANY_REFUND } from './refunds/refund-store.ts'
import * as revenue from './revenue/routes.ts'
import * as grants from './routes/grants.ts'
import * as manage from './routes/manage.ts'
import * as own from './routes/own.ts'
import * as papers from './routes/papers.ts'
import * as paymentMethods from './routes/payment-methods.ts'
import * as refunds from './routes/refunds.ts'
import * as store from './routes/store.ts'
import * as tax from './routes/tax.ts'
import * as webhooks from './routes/webhooks.ts'
import { billingSettings } from './settings.ts'
import { ANY_DUE, ANY_ORDER, addressesKept } from './subscription-store.ts'
import { recordTaxDue } from './tax/record-due.ts'
import { ANY_TAX_RECORD } from './tax/record-store.ts'

/** What customers buy: subscriptions, their invoices and payments, and the consequences of both. */
export const billing = defineDomain({
  name: 'billing',
  headings: [
    {
      name: 'Store and billing',
      description: 'Plans for sale, subscriptions, invoices and payments.',
      paths: ['/api/store', '/api/me/store', '/api/billing'],
    },
  ],
  routes: [
    store,
    own,
    paymentMethods,
    papers,
    manage,
    grants,
    refunds,
    revenue,
    imports,
    webhooks,
    tax,
  ],
  settings: [billingSettings],
  privileges: [{ table: 'revenue_entries', may: ['select', 'insert'] }],
  budgets: billingBudgets,
  answers: [answer(pluginInUse, whyInUse), answer(keptAddresses, addressesKept)],
  mails: billingMails,
  mailTranslations: { de: billingMailsInGerman },
  letters: billingLetters,
  notifications: billingNotices,
  notificationTypes: billingNoticeTypes,
  actions: { [IMPORT]: 'began to import customers, plans and subscriptions from {target}' },
  listeners: {
    'customer.deleted': (ctx, { userId }) => forgetCustomer(ctx, userId),
    'account.suspended': (ctx, { userId, options }) =>
      options.pauseBilling ? pauseSubscriptionsOf(ctx, userId) : Promise.resolve(),
    'account.suspension_changed': (ctx, { userId, options }) =>
      options.pauseBilling
        ? pauseSubscriptionsOf(ctx, userId)
        : unpauseSubscriptionsOf(ctx, userId),
    'account.unsuspended': (ctx, { userId }) => unpauseSubscriptionsOf(ctx, userId),
    'backup.completed': async (ctx, { serverId }) => {
      await settleBackup(ctx.db, serverId)
    },
  },
  periodic: [
    watcher('billing.advance', ANY_DUE, async (services) => ({
      advanced: await advanceDue(services),
    })),
    watcher('billing.provision', ANY_ORDER, async (services) => ({
      made: await provisionDue(services),
    })),
    watcher('billing.invitations', ANY_INVITATION, async (services) => ({
      invited: await inviteImported(contextFor(services, { kind: 'system' })),
    })),
    watcher('billing.charges', ANY_CHARGE, async (services) => ({
      charged: await chargeDue(services),
    })),
    watcher('billing.pages', ANY_PAGE, async (services) => ({
      fetched: await fetchPages(services),
    })),
    watcher('billing.provider_deletions', ANY_PROVIDER_DELETION, async (services) => ({
      forgotten: await forgetDue(services),
    })),
    watcher('billing.refunds', ANY_REFUND, async (services) => ({
      refunds: await refundDue(services),
    })),
    watcher('billing.tax-records', ANY_TAX_RECORD, async (services) => ({
      recorded: await recordTaxDue(services),
    })),
    periodicTask('billing.last-backups', 300, async (services) => ({
      begun: await backUpEnded(services),
    })),
    periodicTask('billing.refetch', 600, async (services) => ({
      payments: await refetchPayments(services),
    })),
    periodicTask('billing.reconcile', 3600, reconcile),
    watcher('billing.events', ANY_EVENT, async (services) => ({
      projected: await projectEvents(services),
    })),
  ],
})
