import { declare } from './declare.ts'

/** Suspended accounts and their appeals. */
export const suspensions = declare({
  permissions: {
    'suspension.view': 'See suspensions and appeals of customers',
    'suspension.manage': 'Suspend customers, lift suspensions and answer appeals',
    'suspension.notes': 'Read and write internal notes about suspensions',
  },
  presets: {
    support_agent: ['suspension.view'],
    support_lead: ['suspension.view', 'suspension.manage', 'suspension.notes'],
    billing: ['suspension.view'],
  },
  problems: {
    appeal_not_possible: { status: 409, title: 'No appeal is possible now' },
  },
})
