import { ADMIN_PRESETS, type AdminPermission } from '../permissions.ts'

// What plugins may do with the API of the panel, in the name of the administrator who accepted it.

const API = 'api:'

/** Permissions of administrators that plugins can have: none by which they could get more. */
const FOR_PLUGINS: ReadonlySet<string> = new Set(
  ADMIN_PRESETS.administrator?.filter((one) => one !== 'plugins.manage'),
)

/** The permission of an administrator that a plugin has by one of its own, such as `api:servers.view`. */
export function apiPermissionOf(permission: string): AdminPermission | undefined {
  const name = permission.startsWith(API) ? permission.slice(API.length) : ''
  return FOR_PLUGINS.has(name) ? (name as AdminPermission) : undefined
}

/** Those of a plugin. */
export const apiPermissionsOf = (permissions: readonly string[]): AdminPermission[] =>
  permissions.flatMap((one) => apiPermissionOf(one) ?? [])
