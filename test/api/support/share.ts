import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import type { Lodge } from '../../support/stack.ts'

/** Makes a person a collaborator: invites and accepts, as the two people would. */
export async function share(
  lodge: Lodge,
  id: string,
  by: Caller,
  person: Caller,
  permissions: readonly ServerPermission[],
): Promise<void> {
  await lodge.database.pool.query('truncate rate_limits')
  await by.must('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email: person.email, permissions: [...permissions] },
  })
  const { token } = await mailTo(lodge, person.email, 'collaborator_invite')
  await lodge.anonymous().must('POST /api/invitations/accept', { body: { token } })
}
