import { apiPermissionsOf } from '@lodge/shared/plugins/api.ts'
import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'

/**
 * The person who accepts the permissions of a plugin, as whom it uses the API from now on.
 * @throws {Problem} permission_required if they lack a permission that it would have
 */
export function acceptedBy({ actor }: Ctx, permissions: readonly string[]): string | null {
  const user = actor.kind === 'user' ? actor : undefined
  const lacking = apiPermissionsOf(permissions).find((one) => !user || !hasPermission(user, one))
  if (lacking)
    throw new Problem(
      'permission_required',
      `The plugin would have the permission ${lacking}, which you lack: ask an administrator who has it to accept this`,
      { fields: { permission: lacking } },
    )
  return user?.id ?? null
}
