import { expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'

/**
 * Deleting these removes access or a name, which is quickly given again, or a note, which whoever
 * may delete it may also rewrite.
 */
const HARMLESS = [
  'DELETE /api/auth/sessions/{id}',
  'DELETE /api/auth/viewing',
  'DELETE /api/customers/{id}/notes/{noteId}',
  'DELETE /api/email/templates/{template}',
  'DELETE /api/invitations/{id}',
  'DELETE /api/servers/{id}/collaborators/{userId}',
  'DELETE /api/servers/{id}/ports/{offset}',
  'DELETE /api/servers/{id}/rights',
  'DELETE /api/signup/invites/{id}',
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
