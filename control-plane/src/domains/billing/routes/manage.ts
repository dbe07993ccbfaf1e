import {
  BillingSettings,
  ChangePlanByHost,
  ChangePreview,
  EditSubscription,
  ManagedInvoice,
  ManagedSubscription,
  MarkPaid,
  PreviewChangeByHost,
} from '@lodge/shared/billing/billing.ts'
import { INVOICE_FIELDS, SUBSCRIPTION_FIELDS } from '@lodge/shared/lists/billing.ts'
import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { z } from 'zod'
import { cutPage, decodeCursor, pageOf, pageQuery } from '../../../db/cursor.ts'
import { filterOf } from '../../../db/filter.ts'
import { get, patch, post, put } from '../../../http/endpoint.ts'
import { readSettings } from '../../settings/index.ts'
import { invoice as anyInvoice, subscription as anySubscription } from '../access.ts'
import { billingBudgets } from '../budgets.ts'
import { cancelNow, holdSubscription } from '../cancel.ts'
import { changePlan, previewChange } from '../change.ts'
import { filteredInvoices, filteredSubscriptions } from '../list-store.ts'
import { recordPayment } from '../pay.ts'
import { newestEvents } from '../providers/event-store.ts'
import { replayEvent as replay } from '../providers/replay.ts'
import { billingSettings } from '../settings.ts'
import { changeSettings } from '../tax/change-settings.ts'
import { describeForHost } from '../view.ts'
import { voidByHost } from '../void.ts'
import { oneInvoice, oneSubscription, shownInvoices } from './for-host.ts'

const view = { who: 'admin', may: 'billing.view' } as const
const manage = { who: 'admin', may: 'billing.manage' } as const

const ofCustomer = z.uuid().optional().describe('only those of this customer')

const positionOf = ({ id }: { id: string }) => ['', id] as const

export const listSubscriptions = get('/api/billing/subscriptions', {
  summary: 'All subscriptions, the newest first',
  access: view,
  query: z.object({
    ...pageQuery,
    userId: ofCustomer,
    filter: filterOf(SUBSCRIPTION_FIELDS, 'status:past_due plan:small* ann'),
  }),
  reply: pageOf(ManagedSubscription),
  handle: async ({ ctx, query: { limit, after, userId, filter = '' } }) => {
    const [, last] = decodeCursor(after) ?? []
    const terms = parseFilter(filter, SUBSCRIPTION_FIELDS)
    const wanted = { terms, userId, after: last, limit: limit + 1 }
    const rows = await filteredSubscriptions(ctx.db, wanted)
    const { items, nextCursor } = cutPage(rows, limit, positionOf)
    return { items: await describeForHost(ctx, items), nextCursor }
  },
})

export const editSubscription = patch('/api/billing/subscriptions/{id}', {
  summary: 'Keep a subscription from suspension and from its end until a time',
  access: { ...manage, on: anySubscription },
  body: EditSubscription,
  reply: ManagedSubscription,
  recorded: 'changed a subscription',
  handle: async ({ ctx, subscription, body }) => {
    const until = body.holdUntil === null ? null : new Date(body.holdUntil)
    await holdSubscription(ctx, ctx.now, subscription, until)
    return oneSubscription(ctx, subscription.id)
  },
})

export const previewChangeByHost = get('/api/billing/subscriptions/{id}/preview-change', {
  summary: 'What a change of a customer’s plan costs and does, now or with their next period',
  access: { ...manage, on: anySubscription, throttle: billingBudgets.preview },
  query: PreviewChangeByHost,
  reply: ChangePreview,
  waits: true,
  handle: ({ ctx, subscription, query: { mode, ...wanted } }) =>
    previewChange(ctx, ctx.now, subscription, { ...wanted, byHost: { mode } }),
})

export const changeByHost = post('/api/billing/subscriptions/{id}/change-plan', {
  summary: 'Move a customer to another plan or cycle, once that is paid or with their next period',
  access: { ...manage, on: anySubscription },
  body: ChangePlanByHost,
  reply: ManagedSubscription,
  recorded: 'changed the plan of a subscription',
  handle: async ({ ctx, subscription, body: { mode, ...wanted } }) => {
    await changePlan(ctx, ctx.now, subscription, { ...wanted, byHost: { mode } })
    return oneSubscription(ctx, subscription.id)
  },
})

export const endSubscription = post('/api/billing/subscriptions/{id}/cancel-now', {
  summary: 'End a subscription at once; its server is deleted after the time it is kept',
  access: { ...manage, on: anySubscription, stepUp: true },
  reply: ManagedSubscription,
  recorded: 'ended a subscription',
  handle: async ({ ctx, subscription }) => {
    await cancelNow(ctx, ctx.now, subscription)
    return oneSubscription(ctx, subscription.id)
  },
})

export const listInvoices = get('/api/billing/invoices', {
  summary: 'All invoices, the newest first',
  access: view,
  query: z.object({
    ...pageQuery,
    userId: ofCustomer,
    filter: filterOf(INVOICE_FIELDS, 'status:overdue currency:eur ann'),
  }),
  reply: pageOf(ManagedInvoice),
  handle: async ({ ctx, query: { limit, after, userId, filter = '' } }) => {
    const [, last] = decodeCursor(after) ?? []
    const terms = parseFilter(filter, INVOICE_FIELDS)
    const wanted = { terms, userId, after: last, limit: limit + 1 }
    const rows = await filteredInvoices(ctx.db, wanted)
    const { items, nextCursor } = cutPage(rows, limit, positionOf)
    return { items: await shownInvoices(ctx, items), nextCursor }
  },
})

export const markPaid = post('/api/billing/invoices/{id}/mark-paid', {
  summary: 'Record money that arrived; what is too much goes to the customer’s balance',
  access: { ...manage, on: anyInvoice },
  body: MarkPaid,
  reply: ManagedInvoice,
  recorded: 'recorded a payment',
  handle: async ({ ctx, invoice, body: { amount, receivedAt, reference = '' } }) => {
    await recordPayment(ctx, ctx.now, invoice.id, {
      ...{ amount, reference, provider: 'host', externalRef: null },
      receivedAt: receivedAt === undefined ? ctx.now : new Date(receivedAt),
    })
    return oneInvoice(ctx, invoice.id)
  },
})

export const voidInvoice = post('/api/billing/invoices/{id}/void', {
  summary: 'Void an open invoice; what was paid of it goes to the customer’s balance',
  access: { ...manage, on: anyInvoice },
  reply: ManagedInvoice,
  recorded: 'voided an invoice',
  handle: async ({ ctx, invoice }) => {
    await voidByHost(ctx, ctx.now, invoice)
    return oneInvoice(ctx, invoice.id)
  },
})

export const showBillingSettings = get('/api/billing/settings', {
  summary: 'How customers pay, and what happens when they do not',
  access: view,
  reply: BillingSettings,
  handle: ({ ctx }) => readSettings(ctx.db, billingSettings),
})

export const editBillingSettings = put('/api/billing/settings', {
  summary: 'Change how customers pay, and what happens when they do not',
  access: { who: 'admin', may: 'billing.settings' },
  body: BillingSettings,
  reply: BillingSettings,
  recorded: 'changed the settings of billing',
  handle: ({ ctx, body }) => changeSettings(ctx, ctx.now, body),
})

const EVENT_STATES = ['waiting', 'done', 'ignored', 'dead'] as const
const ProviderEvent = z.object({
  id: z.uuid(),
  provider: z.string(),
  type: z.string(),
  state: z.enum(EVENT_STATES),
  attempts: z.int(),
  failure: z.string().nullable(),
  receivedAt: z.iso.datetime(),
})

export const listProviderEvents = get('/api/billing/events', {
  summary: 'What payment providers reported, the newest first',
  access: view,
  query: z.object({ ...pageQuery, state: z.enum(EVENT_STATES).optional() }),
  reply: pageOf(ProviderEvent),
  handle: async ({ ctx, query: { limit, after, state } }) => {
    const [, last] = decodeCursor(after) ?? []
    const rows = await newestEvents(ctx.db, { after: last, limit: limit + 1, state })
    const { items, nextCursor } = cutPage(rows, limit, positionOf)
    return {
      items: items.map(({ eventId: _, objects: __, nextAt: ___, receivedAt, ...event }) => ({
        ...event,
        receivedAt: receivedAt.toISOString(),
      })),
      nextCursor,
    }
  },
})

export const replayProviderEvent = post('/api/billing/events/{eventId}/replay', {
  summary: 'Look once more at what a provider reported',
  access: manage,
  recorded: 'replayed an event of a payment provider',
  handle: ({ ctx, params }) => replay(ctx, ctx.now, params.eventId),
})
