import { expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { keyOf } from '../support/things.ts'

test('the record covers every endpoint that changes something, except those that give a reason', () => {
  const declared: readonly Declared[] = Object.values(routes)
  const left = declared.filter(({ recorded }) => recorded === false).map(keyOf)
  expect(left.sort()).toEqual([
    'DELETE /api/auth/viewing',
    'DELETE /api/servers/{id}/files/uploads/{upload}',
    'OPTIONS /api/servers/{id}/files/uploads',
    'PATCH /api/servers/{id}/files/uploads/{upload}',
    'PATCH /api/virtualization/media/{id}/content',
    'POST /api/auth/step-up',
    'POST /api/auth/step-up/passkey',
    'POST /api/auth/step-up/passkey/options',
    'POST /api/billing/invoices/{id}/pay',
    'POST /api/billing/payment-methods/{provider}',
    'POST /api/billing/portal',
    'POST /api/billing/webhooks/{provider}',
    'POST /api/branding/import',
    'POST /api/branding/validate',
    'POST /api/customers/{id}/suspension/attachments',
    'POST /api/email/templates/{template}/preview',
    'POST /api/notifications/read',
    'POST /api/plugin-pages/{plugin}/{page}/questions',
    'POST /api/plugins/inspect',
    'POST /api/plugins/{plugin}/health',
    'POST /api/servers/{id}/files/search',
    'POST /api/servers/{id}/files/uploads',
    'POST /api/servers/{id}/plugin-pages/{plugin}/{page}/questions',
    'POST /api/support/abuse/evidence',
    'POST /api/support/abuse/status',
    'POST /api/support/articles/preview',
    'POST /api/support/articles/{slug}/vote',
    'POST /api/support/public/nothing-found',
    'POST /api/support/public/{slug}/read',
    'POST /api/support/rules/try',
    'POST /api/support/tickets/{id}/attachments',
    'POST /api/support/tickets/{id}/presence',
    'POST /api/suspension/attachments',
    'POST /api/templates/fetch',
    'POST /api/usage/connect/poll',
    'PUT /api/plugins/{plugin}/settings',
    'PUT /api/support/drafts/{id}',
    'PUT /api/support/tickets/{id}/read',
  ])
})
