import { type Actor, hasPermission, isAdmin } from '../context.ts'

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

/** What a periodic task of Lodge's own acts with: it serves the owner, so the owner's limits bind it. */
export const OWN_WORK: JobAuthority = { as: 'customer', mayForceLimits: false, userId: null }

/** The rights that a job started by this actor has. A saga passes on those that it was given. */
export function authorityOf(actor: Actor): JobAuthority {
  if (actor.kind === 'system') return actor.authority ?? OWN_WORK
  if (actor.kind !== 'user') return OWN_WORK
  return {
    as: isAdmin(actor) ? 'administrator' : 'customer',
    mayForceLimits: hasPermission(actor, 'servers.force_limits'),
    userId: actor.id,
  }
}
