import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type pg from 'pg'
import type { Caller } from '../../support/caller.ts'

/** Makes a person a collaborator: invites and accepts, as the two people would. */
export async function share(
  lodge: { readonly database: { readonly pool: pg.Pool } },
  id: string,
  by: Pick<Caller, 'must'>,
  person: Pick<Caller, 'must' | 'email'>,
  permissions: readonly ServerPermission[],
): Promise<void> {
  await lodge.database.pool.query('truncate rate_limits')
  await by.must('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email: person.email, permissions: [...permissions] },
  })
  const { items } = await person.must('GET /api/invitations')
  for (const invitation of items)
    await person.must('POST /api/invitations/{id}/accept', { params: { id: invitation.id } })
}
