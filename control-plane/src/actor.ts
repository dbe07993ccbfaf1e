import type { AdminPermission, TokenScope } from '@lodge/shared/permissions.ts'

export interface Anyone {
  readonly kind: 'anyone'
  readonly address: string
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
  /** When this session last showed who it is; absent for API tokens. */
  readonly provedAt?: Date | null
  /** An administrator whose time to set up a second factor is over: nothing else opens. */
  readonly mustSetUpFactor?: boolean
  /** The account is suspended: nothing opens but what says so. */
  readonly suspended?: boolean
  /** An administrator at an address from which administrators may not work. */
  readonly barred?: true
  /** Given for an API token, which reaches nothing outside them; absent for a browser session. */
  readonly scopes?: ReadonlySet<TokenScope>
}
export interface Agent {
  readonly kind: 'agent'
  readonly nodeId: string
}
/**
 * With whose rights a job acts. It is taken from whoever enqueues the job, in that transaction, because
 * the saga runs when the request and its session are long gone.
 */
export interface JobAuthority {
  /** How limits judge it. */
  readonly as: 'administrator' | 'customer'
  /** Whether it may use `force` on limits. */
  readonly mayForceLimits: boolean
  /** Who started the job, or the job that this one was started by. */
  readonly userId: string | null
}
export interface System {
  readonly kind: 'system'
  /** Of a saga: the rights that its job was given. Periodic tasks have none of their own. */
  readonly authority?: JobAuthority
}
export type Actor = Anyone | User | Agent | System

export const isAdmin = (actor: Actor): actor is User =>
  actor.kind === 'user' && actor.role === 'admin'

/** Whether an administrator holds a permission; the super administrator holds all. */
export const hasPermission = (
  actor: Pick<User, 'role' | 'superAdmin' | 'permissions'>,
  permission: AdminPermission,
): boolean => actor.role === 'admin' && (actor.superAdmin || actor.permissions.has(permission))
