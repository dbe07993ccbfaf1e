import { isOpenToSuspended } from '@lodge/shared/restriction.ts'
import type { User } from '../../actor.ts'
import type { Db } from '../../db/database.ts'
import { asActor, findUser, restrictionOf } from '../customers/index.ts'
import { findRights, findView, permits, type SharedServer } from '../servers/index.ts'
import { type Reach, reachOf, whyHeld } from './access.ts'

const SUSPENDED = 'The account is suspended'

/**
 * What somebody may do with the files of a server at this moment, for work that outlives the request:
 * rights may have been withdrawn since.
 * @param writes whether it changes files
 * @returns the reason in words if they may not
 */
export async function reachNow(
  db: Db,
  serverId: string,
  userId: string,
  writes = true,
): Promise<Reach | string> {
  const standing = await standingNow(db, serverId, userId)
  if (typeof standing === 'string') return standing
  const { actor, server } = standing
  if (actor.suspended && writes) return SUSPENDED
  const held = await whyHeld(db, actor, server)
  if (writes && held !== undefined) return held
  const allowed = writes
    ? permits(actor, server, 'files.write') || permits(actor, server, 'files.delete')
    : permits(actor, server, 'files.read')
  return allowed ? reachOf(actor, server, held) : 'The permission was withdrawn'
}

/**
 * A person and a server as they are at this moment.
 * @returns the reason in words if this person has no such server
 */
export async function standingNow(
  db: Db,
  serverId: string,
  userId: string,
): Promise<{ readonly actor: User; readonly server: SharedServer } | string> {
  const [user, view] = await Promise.all([findUser(db, userId), findView(db, serverId)])
  if (!user || !view) return 'The server or the account is gone'
  const restriction = restrictionOf(user)
  if (restriction && !isOpenToSuspended('data-export', restriction)) return SUSPENDED
  const rights = (await findRights(db, serverId, userId)) ?? null
  return { actor: asActor(user), server: { ...view, rights } }
}
