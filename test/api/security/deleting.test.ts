import { expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'

/**
 * Deleting these removes access, a name, a channel or a schedule, which is quickly given again; a
 * note, which whoever may delete it may also rewrite; or the received part of an upload; unaccepted
 * mail, an unpaid purchase, a payment method that its owner saves again, content that is rewritten in
 * a minute; or it restores something, like lifting a suspension, or ends early what would end
 * automatically.
 */
const HARMLESS = [
  'DELETE /api/account/ssh-keys/{id}',
  'DELETE /api/auth/sessions/{id}',
  'DELETE /api/auth/viewing',
  'DELETE /api/billing/payment-methods/{provider}',
  'DELETE /api/customers/{id}/notes/{noteId}',
  'DELETE /api/customers/{id}/suspension',
  'DELETE /api/email/templates/{template}',
  'DELETE /api/failover/lease-extension',
  'DELETE /api/invitations/{id}',
  'DELETE /api/notification-channels/{id}',
  'DELETE /api/servers/{id}/collaborators/{userId}',
  'DELETE /api/servers/{id}/files/uploads/{upload}',
  'DELETE /api/servers/{id}/ports/{offset}',
  'DELETE /api/servers/{id}/rights',
  'DELETE /api/servers/{id}/schedules/{scheduleId}',
  'DELETE /api/servers/{id}/sftp/password',
  'DELETE /api/signup/invites/{id}',
  'DELETE /api/store/checkouts/{id}',
  'DELETE /api/support/inbound/held/{id}',
  'DELETE /api/support/macros/{id}',
  'DELETE /api/support/rules/{id}',
  'DELETE /api/support/tiers/{id}',
  'DELETE /api/suspension/appeal',
  'DELETE /api/tokens/{id}',
  'DELETE /api/virtualization/images',
]

test('every endpoint that deletes something irreplaceable needs a step-up', () => {
  const all: readonly Declared[] = Object.values(routes)
  const unguarded = all
    .filter(({ method, access }) => method === 'DELETE' && !('stepUp' in access && access.stepUp))
    .map(({ method, path }) => `${method} ${path}`)
  expect(unguarded.sort()).toEqual(HARMLESS)
})
