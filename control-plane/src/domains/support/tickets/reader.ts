import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { type Actor, hasPermission, type User } from '../../../actor.ts'
import { Problem } from '../../../problem.ts'

/** Whether somebody sees all tickets, including notes and other internal data. */
export const isStaff = (actor: Actor): boolean =>
  actor.kind === 'user' && hasPermission(actor, 'support.view')

/** @throws {Problem} permission_required */
export function requireStaff(actor: User, permission: AdminPermission): void {
  if (isStaff(actor) && hasPermission(actor, permission)) return
  throw new Problem(
    'permission_required',
    `This needs the permission ${permission}; the super administrator can grant it`,
    { fields: { permission } },
  )
}
