import { BillingSettings } from '@lodge/shared/billing/billing.ts'
import type { Area } from '../../catalogue.ts'

/** How customers pay, and what happens when they do not. */
export const billingSettings: Area<BillingSettings> = {
  name: 'billing',
  schema: BillingSettings,
  initial: {
    instructions: '',
    sender: '',
    invoicePrefix: 'INV',
    invoiceDaysAhead: 7,
    checkoutDays: 7,
    graceDays: 7,
    terminateDays: 21,
    keepDays: 7,
    trialEnd: 'cancel',
    trialRequiresPaymentMethod: true,
    suspendDisputed: true,
    timeZone: 'UTC',
    tax: null,
    taxPlaceDays: 3,
  },
}
