import { createHash } from 'node:crypto'
import type { SavedPayment, WayToPay } from '@lodge/shared/billing/billing.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SavedMethod } from '@lodge/shared/plugins/payment.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { oneByOne } from '../../../jobs/one-by-one.ts'
import { notFound, Problem } from '../../../problem.ts'
import type { Services } from '../../../services.ts'
import { findUser, lockOwner } from '../../customers/index.ts'
import { findPrices } from '../../plans/index.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { isExpiredOn } from '../charges/charge.ts'
import {
  chargeNowhereElse,
  customerNamed,
  customersOf,
  customersWhoWait,
  findCustomer,
  keepCustomer,
  type ProviderCustomer,
  updateCustomer,
} from '../charges/customer-store.ts'
import { findInvoice } from '../invoice-store.ts'
import { subscriptionsOf } from '../subscription-store.ts'
import { beginWaitingTrials } from '../trials.ts'
import { waysToPay } from '../ways-to-pay.ts'

/** A provider's reference of a customer, whom this registers there if necessary. */
export async function customerRefAt(ctx: Ctx, userId: string, provider: string): Promise<string> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw notFound('customer')
  const about = { email: user.email, name: user.name ?? '' }
  const known = (await findCustomer(ctx.db, userId, provider))?.ref ?? null
  // The provider refuses the same key with another body.
  const said = createHash('sha256')
    .update(JSON.stringify([about, known]))
    .digest('hex')
  const { ref } = await callPlugin(ctx, provider, 'payment.ensureCustomer', {
    customer: { id: userId, ...about, ref: known },
    key: `customer:${userId}:${said.slice(0, 16)}`,
  })
  await keepCustomer(ctx.db, { userId, provider, ref })
  return ref
}

/**
 * Where a customer manages payment methods: at the named provider, otherwise at one that has them,
 * otherwise at the first that has such pages; the panel's own page if there is none.
 * @param billingUrl where the provider sends them back to
 */
export async function portalOf(
  ctx: Ctx<User>,
  provider: string | undefined,
  billingUrl: string,
): Promise<string> {
  const { id: userId } = ctx.actor
  const ways = (await waysToPay(ctx)).filter(
    ({ id, portal }) => portal && (provider === undefined || id === provider),
  )
  const known = await customersOf(ctx.db, userId)
  const way = ways.find(({ id }) => known.some((one) => one.provider === id)) ?? ways[0]
  if (!way) return panelPath('billing')
  const customerRef = await customerRefAt(ctx, userId, way.id)
  const returnUrl = `${billingUrl}?saved=${encodeURIComponent(way.id)}`
  return (await callPlugin(ctx, way.id, 'payment.createPortal', { customerRef, returnUrl })).url
}

/** The payment methods that providers have saved for a customer, as last seen. */
export const savedPayments = (
  known: readonly ProviderCustomer[],
  ways: readonly WayToPay[],
): SavedPayment[] =>
  known.flatMap(({ provider, method, expires, autoCharge }) => {
    const way = ways.find(({ id }) => id === provider)
    return way?.autoCharge && method !== null
      ? { provider, name: way.name, label: method, expires, autoCharge: autoCharge === 'on' }
      : []
  })

/** Begins trials whose customers have saved a payment method, as the webhook may be lost. */
export async function lookForMethods(services: Services, ctx: Ctx): Promise<void> {
  await oneByOne(services, await customersWhoWait(ctx.db), async ({ userId, provider }) => {
    await takeAsked(ctx, provider, userId)
    return true
  })
}

/** Fetches what a provider has saved for a customer. */
async function methodAt(ctx: Ctx, userId: string, provider: string) {
  const customer = await findCustomer(ctx.db, userId, provider)
  if (!customer) return null
  const given = { customerRef: customer.ref }
  return (await callPlugin(ctx, provider, 'payment.savedMethod', given)).method
}

/**
 * Fetches what a provider has saved for a customer, and turns automatic charges there on or off.
 * Turning off works even if the provider does not answer.
 */
export async function setAutoCharge(
  ctx: Ctx<User>,
  provider: string,
  autoCharge: boolean,
): Promise<void> {
  const { id: userId } = ctx.actor
  if (!autoCharge) return stopCharging(ctx, userId, provider)
  if (!(await waysToPay(ctx)).some((way) => way.id === provider && way.autoCharge))
    throw new Problem('invalid_state', 'This way to pay charges nothing by itself: choose another')
  const found = await methodAt(ctx, userId, provider)
  if (!found)
    throw new Problem(
      'invalid_state',
      'No payment method is saved there yet: add one, or save it when you next pay an invoice',
    )
  await chargeThere(ctx, userId, provider, found)
}

/**
 * Where a customer has a payment method kept without paying anything, as before a trial; renewals are charged
 * with it from then on.
 * @param billingUrl where the provider leads back to
 */
export async function savingPage(
  ctx: Ctx<User>,
  provider: string,
  billingUrl: string,
): Promise<string> {
  const { id: userId } = ctx.actor
  if (!(await waysToPay(ctx)).some((way) => way.id === provider && way.saveMethod))
    throw new Problem(
      'invalid_state',
      'This way to pay saves a payment method only with a payment: choose another',
    )
  const customerRef = await customerRefAt(ctx, userId, provider)
  const present = await findCustomer(ctx.db, userId, provider)
  if (present && (present.autoCharge === 'off' || isExpiredOn(present, ctx.now)))
    await updateCustomer(ctx.db, userId, provider, { autoCharge: 'asked' })
  const { url } = await callPlugin(ctx, provider, 'payment.saveMethod', {
    ...{ customerRef, currency: await currencyOf(ctx, userId), cancelUrl: billingUrl },
    successUrl: `${billingUrl}?charge=${encodeURIComponent(provider)}`,
    metadata: { customerId: userId },
  })
  return url
}

/** What a customer is charged in next: what they bought last. */
async function currencyOf(ctx: Ctx, userId: string): Promise<string> {
  const ids = (await subscriptionsOf(ctx.db, userId)).flatMap(({ priceId }) => priceId ?? [])
  const [newest] = ids
  const price = (await findPrices(ctx.db, ids.slice(0, 1))).get(newest ?? '')
  return price?.currency ?? 'EUR'
}

/** Charges renewals with what is saved there from now on, and begins the trials that waited for it. */
const chargeThere = (
  ctx: Ctx,
  userId: string,
  provider: string,
  { label, expires }: SavedMethod,
): Promise<void> =>
  ctx.transaction(async (ctx) => {
    await lockOwner(ctx.db, userId)
    await updateCustomer(ctx.db, userId, provider, { autoCharge: 'on', method: label, expires })
    await chargeNowhereElse(ctx.db, userId, provider)
    await beginWaitingTrials(ctx, ctx.now, userId)
  })

async function stopCharging(ctx: Ctx, userId: string, provider: string): Promise<void> {
  await updateCustomer(ctx.db, userId, provider, { autoCharge: 'off' })
  try {
    const found = await methodAt(ctx, userId, provider)
    await updateCustomer(ctx.db, userId, provider, {
      ...{ method: found?.label ?? null, expires: found?.expires ?? null },
    })
  } catch (error) {
    if (!(error instanceof PluginCallFailed)) throw error
  }
}

/** Has a provider delete a customer's payment methods; automatic charges end immediately. */
export async function removeMethods(ctx: Ctx<User>, provider: string): Promise<void> {
  const { id: userId } = ctx.actor
  const customer = await findCustomer(ctx.db, userId, provider)
  if (!customer) throw notFound('payment method')
  await updateCustomer(ctx.db, userId, provider, { autoCharge: 'off' })
  await callPlugin(ctx, provider, 'payment.forgetMethods', { customerRef: customer.ref })
  await updateCustomer(ctx.db, userId, provider, { method: null, expires: null })
}

/**
 * Records whether a customer wants the payment method of this payment to be saved and charged for
 * renewals.
 * @returns the provider's reference of the customer, if the payment needs it
 */
export async function askToSave(
  ctx: Ctx,
  userId: string,
  provider: string,
  save: boolean,
): Promise<string | null> {
  const ref = save ? await customerRefAt(ctx, userId, provider) : null
  const present = (await findCustomer(ctx.db, userId, provider))?.autoCharge
  const wanted = save ? 'asked' : 'off'
  if (present !== undefined && present !== 'on' && present !== wanted)
    await updateCustomer(ctx.db, userId, provider, { autoCharge: wanted })
  return ref
}

/** After a payment: turns automatic charges on if the customer chose to save the payment method. */
export async function takeSaved(ctx: Ctx, provider: string, invoiceId: string): Promise<void> {
  const userId = (await findInvoice(ctx.db, invoiceId))?.userId ?? null
  if (userId !== null) await takeAsked(ctx, provider, userId)
}

/**
 * After a page on which a payment method was kept: it charges renewals from now on, and begins what waited
 * for it.
 * @returns whether it is a customer of ours
 */
export async function takeSavedFor(ctx: Ctx, provider: string, ref: string): Promise<boolean> {
  const customer = await customerNamed(ctx.db, provider, ref)
  if (!customer) return false
  await takeAsked(ctx, provider, customer.userId)
  return true
}

async function takeAsked(ctx: Ctx, provider: string, userId: string): Promise<void> {
  const customer = await findCustomer(ctx.db, userId, provider)
  if (customer?.autoCharge !== 'asked') return
  const found = await methodAt(ctx, userId, provider).catch((error: unknown) => {
    if (error instanceof PluginCallFailed && error.reason === 'unsupported') return null
    throw error
  })
  if (!found) return
  // Still the expired one that was to be replaced.
  if (found.expires === customer.expires && isExpiredOn(found, ctx.now)) return
  await chargeThere(ctx, userId, provider, found)
}
