import { expect, test } from 'vitest'
import { routes } from '../../control-plane/src/api.ts'
import type { Declared } from '../../control-plane/src/http/endpoint.ts'

/** What these take away is access or a name, and is given again as quickly. */
const HARMLESS = [
  'DELETE /api/auth/sessions/{id}',
  'DELETE /api/email/templates/{template}',
  'DELETE /api/invitations/{id}',
  'DELETE /api/servers/{id}/collaborators/{userId}',
  'DELETE /api/servers/{id}/ports/{offset}',
  'DELETE /api/servers/{id}/rights',
  'DELETE /api/signup/invites/{id}',
  'DELETE /api/tokens/{id}',
  'DELETE /api/virtualization/images',
]

test('whatever deletes what cannot be made again asks for fresh authentication', () => {
  const all: readonly Declared[] = Object.values(routes)
  const unguarded = all
    .filter(({ method, access }) => method === 'DELETE' && !('stepUp' in access && access.stepUp))
    .map(({ method, path }) => `${method} ${path}`)
  expect(unguarded.sort()).toEqual(HARMLESS)
})
