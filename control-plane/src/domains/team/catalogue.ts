import { ADMIN_PERMISSIONS, ADMIN_PRESETS } from '@lodge/shared/permissions.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { SERVER_PRESETS } from '@lodge/shared/server-permissions.ts'
import { z } from 'zod'
import type { User } from '../../actor.ts'

const Part = z.object({
  permissions: z.array(z.object({ id: z.string(), description: z.string() })),
  presets: z.array(z.object({ id: z.string(), permissions: z.array(z.string()) })),
})
export const PermissionCatalogue = z.object({
  /** Permissions of administrators; null for customers. */
  team: Part.nullable(),
  /** Permissions on a shared server. */
  server: Part,
})

const part = (
  permissions: Readonly<Record<string, string>>,
  presets: Readonly<Record<string, readonly string[]>>,
): z.infer<typeof Part> => ({
  permissions: Object.entries(permissions).map(([id, description]) => ({ id, description })),
  presets: Object.entries(presets).map(([id, held]) => ({ id, permissions: [...held] })),
})

const SERVER_TITLES = Object.fromEntries(
  Object.entries(SERVER_PERMISSIONS).map(([id, { title }]) => [id, title]),
)

export const permissionCatalogue = (actor: User): z.infer<typeof PermissionCatalogue> => ({
  team: actor.role === 'admin' ? part(ADMIN_PERMISSIONS, ADMIN_PRESETS) : null,
  server: part(SERVER_TITLES, SERVER_PRESETS),
})
