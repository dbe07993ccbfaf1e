import { type Actor, hasPermission, isAdmin, type JobAuthority } from '../../actor.ts'

/**
 * The authority of Lodge's own periodic tasks: they serve the owner, so the owner's limits apply.
 */
export const OWN_WORK: JobAuthority = { as: 'customer', mayForceLimits: false, userId: null }

/** The rights of a job started by this actor. A saga passes on its own. */
export function authorityOf(actor: Actor): JobAuthority {
  if (actor.kind === 'system') return actor.authority ?? OWN_WORK
  if (actor.kind !== 'user') return OWN_WORK
  return {
    as: isAdmin(actor) ? 'administrator' : 'customer',
    mayForceLimits: hasPermission(actor, 'servers.force_limits'),
    userId: actor.id,
  }
}
