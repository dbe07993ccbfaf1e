import type { User } from '../../actor.ts'
import { contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findUser } from '../customers/index.ts'
import { isHost, type Reach, reachOf, standingNow } from '../files/index.ts'
import { requireQuota } from '../limits/index.ts'
import { findServer, permits, type SharedServer } from '../servers/index.ts'

/** Somebody who may be at the files of a server, and with what rights. */
export interface Admitted {
  readonly user: User
  readonly server: SharedServer
  readonly reach: Reach
}

/** Holds in which nobody has any business with the files; others leave reading. */
const CLOSING: readonly string[] = ['deletion', 'deleting']

/**
 * Whether somebody may reach the files of a server by SFTP at this moment.
 * @param address from where
 */
export async function admit(
  services: Services,
  { userId, serverId, address }: { userId: string; serverId: string; address: string },
): Promise<Admitted | undefined> {
  const standing = await standingNow(services.db, serverId, userId)
  if (typeof standing === 'string') return undefined
  const { server } = standing
  if (standing.actor.suspended) return undefined
  const user = services.guard.judge({ ...standing.actor, address })
  const may = permits(user, server, 'files.sftp') && permits(user, server, 'files.read')
  if (user.barred || !may || server.kind === 'vm') return undefined
  if (!(await isOpen(services, user, server))) return undefined
  return { user, server, reach: reachOf(user, server) }
}

/** The rights that somebody was admitted with, as text that only equal rights share. */
export const standingOf = (admitted: Admitted | undefined): string | undefined =>
  admitted && JSON.stringify(admitted.reach)

/** Whether the server itself is open to this person by SFTP: not suspended, and its owner may have it. */
export async function isOpen(
  services: Services,
  user: User,
  server: SharedServer,
): Promise<boolean> {
  if (server.holds.some(({ kind }) => CLOSING.includes(kind))) return false
  // The host works on the files of a suspended customer too, and is not bound by their limits.
  if (isHost(user)) return true
  if (server.holds.some(({ kind }) => kind === 'suspension')) return false
  return allowsSftp(services, server)
}

async function allowsSftp(services: Services, { id, ownerId }: SharedServer): Promise<boolean> {
  const ctx = contextFor(services, { kind: 'system' })
  const [owner, row] = await Promise.all([findUser(ctx.db, ownerId), findServer(ctx.db, id)])
  if (!owner || !row || owner.state === 'suspended') return false
  try {
    await requireQuota(ctx, owner, () => [{ capability: 'maySftp' }], { of: row })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
