import { type Actor, hasPermission, isAdmin, type JobAuthority } from '../actor.ts'

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
