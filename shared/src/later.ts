import type { LimitKey } from './limits/keys.ts'
import type { ServerPermissionName } from './server-permission-list.ts'

/**
 * Features that limits and permissions already name but that are not built; the panel hides them.
 * Remove a feature from this list with its first endpoint.
 */
const LATER = {
  addons: ['addons.manage', 'mayAddons'],
} as const satisfies Readonly<Record<string, readonly (LimitKey | ServerPermissionName)[]>>

export const LATER_FEATURES = Object.keys(LATER)
const later: ReadonlySet<string> = new Set(Object.values(LATER).flat())

/** Whether a limit, a server permission or an administrator permission has an effect today. */
export const isOffered = (name: string): boolean => !later.has(name)
