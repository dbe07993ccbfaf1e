import { z } from 'zod'
import { type Declared, merged, type NamesIn, type Preset } from './domains/declare.ts'
import { declared } from './domains/index.ts'

export type AdminPermission = NamesIn<typeof declared, 'permissions'>

const domains: readonly Declared[] = declared

/** The permissions of administrators. The super administrator holds all of them. */
export const ADMIN_PERMISSIONS = merged(
  'permission',
  domains.map(({ permissions }) => permissions),
) as Readonly<Record<AdminPermission, string>>
export const AdminPermission = z.enum(
  Object.keys(ADMIN_PERMISSIONS) as [AdminPermission, ...AdminPermission[]],
)

export const TOKEN_SCOPES = ['read', 'provision', 'suspend'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]
/** The permission that whoever acts with a scope needs. */
export const SCOPE_NEEDS = {
  read: 'servers.view',
  provision: 'servers.create',
  suspend: 'servers.suspend',
} as const satisfies Readonly<Record<TokenScope, AdminPermission>>

const all = AdminPermission.options
const reserved = new Set<string>(domains.flatMap(({ reserved = [] }) => reserved))
function preset(name: Preset): AdminPermission[] {
  const held = new Set<string>(domains.flatMap(({ presets = {} }) => presets[name] ?? []))
  return all.filter((one) => held.has(one))
}

/** Permission sets for common roles; a person's permissions may be changed one by one afterwards. */
export const ADMIN_PRESETS: Readonly<Record<string, readonly AdminPermission[]>> = {
  administrator: all.filter((one) => !reserved.has(one)),
  operator: preset('operator'),
  support_agent: preset('support_agent'),
  support_lead: preset('support_lead'),
  billing: preset('billing'),
  content: preset('content'),
  read_only: all.filter((one) => one.endsWith('.view')),
}
