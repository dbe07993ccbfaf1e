import { declare } from './declare.ts'

/** Accounts of people. */
export const customers = declare({
  permissions: {
    'customers.view': 'See customers',
    'customers.manage': 'Create and change customers',
    'customers.view_as': 'View the panel as a customer, without changing anything',
    'customers.quota': 'Set the limits of a customer',
    'customers.approve': 'Approve and reject sign-ups',
    'customers.notes': 'Write notes about customers, which they never see',
  },
  presets: {
    support_agent: ['customers.view', 'customers.notes'],
    support_lead: [
      'customers.view',
      'customers.manage',
      'customers.view_as',
      'customers.approve',
      'customers.notes',
    ],
    billing: ['customers.view', 'customers.manage', 'customers.quota', 'customers.notes'],
  },
  problems: {
    account_suspended: { status: 403, title: 'The account is suspended' },
  },
})
