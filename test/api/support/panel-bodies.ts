import { randomUUID } from 'node:crypto'
import { DEFAULT_BRANDING, THEME_FORMAT } from '@lodge/shared/branding.ts'
import { USAGE_NOTICE_VERSION } from '@lodge/shared/usage-reports.ts'
import { samplePackage } from '../../support/plugin.ts'
import type { Overrides } from './samples.ts'

/** Bodies about the panel itself that no schema alone describes. */
export const panelBodies: Overrides = {
  'PUT /api/billing/settings': () => ({
    ...{ instructions: '', sender: '', invoicePrefix: 'INV', invoiceDaysAhead: 7, checkoutDays: 7 },
    ...{ graceDays: 7, terminateDays: 21, keepDays: 7, trialEnd: 'cancel', tax: null },
  }),
  'PUT /api/billing/payment-methods/{provider}': () => ({ autoCharge: false }),
  'POST /api/billing/invoices/{id}/refund': () => ({
    ...{ amount: 1, way: 'host', subscription: 'keep' },
  }),
  // A deleted server of the checks stays restorable for a while.
  'PUT /api/settings/self-service': () => ({ coolingOffHours: 72, collaboratorAccounts: true }),
  // The addresses on which the checks themselves depend.
  'PUT /api/settings/security': () => ({
    administratorAddresses: ['10.0.0.0/8', '127.0.0.0/8'],
    auditDays: 730,
  }),
  'PUT /api/settings/backups': () => ({
    place: 'node',
    downloads: true,
    keepScheduled: 7,
    storageNodeIds: [],
    protection: null,
    s3: null,
  }),
  'POST /api/support/abuse': () => ({
    type: 'other',
    target: '192.0.2.1:80',
    description: 'Something that a server of yours does.',
    reporterEmail: 'ann@example.org',
  }),
  // Only signed mail is accepted, and the checks sign none.
  'PUT /api/support/inbound/settings': () => ({ enabled: false }),
  'PUT /api/support/abuse/settings': () => ({ enabled: true, groupId: null }),
  'POST /api/support/macros': () => ({
    name: 'Restart',
    scope: 'personal',
    actions: [{ type: 'reply', text: 'Restart it.' }],
  }),
  'PUT /api/branding': () => ({ branding: DEFAULT_BRANDING }),
  'POST /api/branding/validate': () => ({ branding: DEFAULT_BRANDING }),
  'POST /api/branding/import': () => ({
    format: THEME_FORMAT,
    formatVersion: 1,
    branding: DEFAULT_BRANDING,
    images: {},
  }),
  'POST /api/plugins': () => ({
    source: 'upload',
    package: samplePackage({ id: `p${randomUUID()}` }).toString('base64'),
    acceptPermissions: true,
    acceptUnsigned: true,
  }),
  // The update that waits for acceptance.
  'POST /api/plugins/{plugin}/update': () => ({ acceptPermissions: true }),
  'PUT /api/plugins/{plugin}/settings': () => ({ settings: {} }),
  'POST /api/plugins/inspect': () => ({ source: 'bundled', id: 'payment-manual' }),
  'PUT /api/usage/config': () => ({
    repository: 'lodge/intake',
    clientId: 'Iv1.0123456789abcdef',
    publicKeyBase64: Buffer.alloc(32).toString('base64'),
  }),
  'POST /api/usage/consent': () => ({ consent: true, noticeVersion: USAGE_NOTICE_VERSION }),
}
