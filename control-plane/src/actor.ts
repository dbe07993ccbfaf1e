import type { AdminPermission, TokenScope } from '@lodge/shared/permissions.ts'
import type { Restriction } from '@lodge/shared/restriction.ts'

export interface Anyone {
  readonly kind: 'anyone'
  readonly address: string
}
/** An administrator who views the panel as a customer. */
interface Viewer {
  readonly id: string
  readonly email: string
  readonly viewingId: string
  readonly until: Date
}
export interface User {
  readonly kind: 'user'
  readonly id: string
  readonly email: string
  readonly address: string
  readonly sessionId: string
  readonly role: 'admin' | 'customer'
  readonly superAdmin: boolean
  readonly permissions: ReadonlySet<AdminPermission>
  /** When the user of this session last passed step-up; absent for API tokens. */
  readonly provedAt?: Date | null
  /**
   * An administrator whose grace period for a second factor has expired: every endpoint but its
   * set-up refuses.
   */
  readonly mustSetUpFactor?: boolean
  /** The account is suspended; only endpoints whose `whileSuspended` this allows answer. */
  readonly suspended?: Restriction | undefined
  /** An administrator at an address outside the allow-list for administrators. */
  readonly barred?: true
  /** The administrator who views the panel as this customer, read-only. The session is the viewer's. */
  readonly viewer?: Viewer
  /** The plugin that acts in the name of this administrator, with permissions that both have. */
  readonly plugin?: { readonly id: string; readonly name: string }
  /** Present for an API token, which is limited to these scopes; absent for a browser session. */
  readonly scopes?: ReadonlySet<TokenScope>
}
export interface Agent {
  readonly kind: 'agent'
  readonly nodeId: string
}
/**
 * The rights a job acts with: those of the actor who enqueued it, copied in the same transaction,
 * because the saga runs long after the request and perhaps the session have ended.
 */
export interface JobAuthority {
  /** Which rules of the limits apply. */
  readonly as: 'administrator' | 'customer'
  /** Whether `force` may exceed limits. */
  readonly mayForceLimits: boolean
  /** The person who started the job or its parent job. */
  readonly userId: string | null
}
export interface System {
  readonly kind: 'system'
  /** For sagas: the rights of the job. Periodic tasks have none. */
  readonly authority?: JobAuthority
}
export type Actor = Anyone | User | Agent | System

/** The role of the person at the browser: the viewer's, if there is a viewer. */
export const ownRole = (user: Pick<User, 'role' | 'viewer'>): User['role'] =>
  user.viewer ? 'admin' : user.role

/**
 * Whom a session acts as, with which permissions, and what a suspension leaves them: text that only
 * equal standings share. What was opened with another standing than the present one ends.
 */
export const standingMark = (user: User): string => {
  const { id, role, superAdmin, permissions, suspended, viewer } = user
  const { signIn, notice, tickets, dataExport } = suspended ?? {}
  const left = suspended && [signIn, notice, tickets, dataExport].map(Number).join('')
  const rights = superAdmin ? 'super' : [...permissions].sort().join(',')
  return [id, role, rights, viewer?.viewingId ?? '', left ?? 'all'].join(' ')
}

export const isAdmin = (actor: Actor): actor is User =>
  actor.kind === 'user' && actor.role === 'admin'

/** Whether an administrator has a permission; the super administrator has all. */
export const hasPermission = (
  actor: Pick<User, 'role' | 'superAdmin' | 'permissions'>,
  permission: AdminPermission,
): boolean => actor.role === 'admin' && (actor.superAdmin || actor.permissions.has(permission))
