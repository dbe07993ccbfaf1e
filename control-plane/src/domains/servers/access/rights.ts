import { noWiderThan } from '@lodge/shared/file-rules.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { hasPermission, type User } from '../../../actor.ts'
import { Problem } from '../../../problem.ts'
import type { SharedServer } from './access.ts'
import type { Rights } from './store.ts'

/** The caller's own rights, and whether owner, host or role grants them. */
export interface OwnRights extends Rights {
  readonly role: 'owner' | 'collaborator' | 'host'
}

/** Everything the caller may do on a server. */
export function rightsOf(actor: User, server: SharedServer): OwnRights {
  const every = ServerPermission.options
  if (server.ownerId === actor.id) return { role: 'owner', permissions: every, files: [] }
  const shared = server.rights?.permissions ?? []
  const permissions = every.filter(
    (one) => shared.includes(one) || hasPermission(actor, SERVER_PERMISSIONS[one].admin),
  )
  const host = hasPermission(actor, 'servers.files')
  return {
    role: hasPermission(actor, 'servers.view') ? 'host' : 'collaborator',
    permissions,
    files: host ? [] : (server.rights?.files ?? []),
  }
}

/** A text of granted rights, to compare with later ones. */
export const rightsMark = ({ permissions, files }: Rights): string =>
  JSON.stringify({ permissions, files })

/** Nobody may grant or revoke rights on a server that they do not have there themselves. */
export function requireHeld(
  actor: User,
  server: SharedServer,
  touched: readonly ServerPermission[],
): void {
  const own = new Set(rightsOf(actor, server).permissions)
  const lacking = touched.find((one) => !own.has(one))
  if (lacking === undefined) return
  throw new Problem(
    'permission_required',
    `You cannot give or take ${lacking}, because you do not have it on this server`,
    { fields: { permission: lacking } },
  )
}

/** A caller restricted by file rules must not grant wider file access. */
export function requireFilesHeld(actor: User, server: SharedServer, given: Rights): void {
  const reaches = given.permissions.some((one) => one.startsWith('files.'))
  if (!reaches || noWiderThan(given.files, rightsOf(actor, server).files)) return
  throw new Problem(
    'permission_required',
    'You cannot share folders that are closed to you: give others the same file rules as yours',
    { fields: { permission: 'files.read' } },
  )
}
