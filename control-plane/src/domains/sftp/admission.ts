import type { User } from '../../actor.ts'
import { contextFor } from '../../context.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { findUser } from '../customers/index.ts'
import { isHost, type Reach, reachOf, standingNow, whyHeld } from '../files/index.ts'
import { requireQuota } from '../limits/index.ts'
import { findServer, permits, type SharedServer } from '../servers/index.ts'

/** Somebody who may access the files of a server, and their rights. */
export interface Admitted {
  readonly user: User
  readonly server: SharedServer
  readonly reach: Reach
}

/** Holds that end all access to the files; others leave read access. */
const CLOSING: readonly string[] = ['deletion', 'deleting']

/**
 * Whether somebody may access the files of a server by SFTP at this moment.
 * @param address of the client
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
  const held = await whyHeld(services.db, user, server)
  return { user, server, reach: reachOf(user, server, held) }
}

/** The rights of an admission as a text; equal rights have equal texts. */
export const standingOf = (admitted: Admitted | undefined): string | undefined =>
  admitted && JSON.stringify(admitted.reach)

/**
 * Whether this server may be accessed by SFTP at all: it is not suspended, and its owner's limits
 * allow SFTP.
 */
export async function isOpen(
  services: Services,
  user: User,
  server: SharedServer,
): Promise<boolean> {
  if (server.holds.some(({ kind }) => CLOSING.includes(kind))) return false
  // The host may access the files of a suspended customer, and is not bound by the customer's limits.
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
