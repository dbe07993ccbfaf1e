import type { FileRules } from '@lodge/shared/file-rules.ts'
import type { FileRight } from '@lodge/shared/files.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import {
  isChangingStorage,
  requireNode,
  requireOnNode,
  rightsOf,
  type ServerView,
  type SharedServer,
} from '../servers/index.ts'

/** What somebody may do with the files of a server; the node enforces it on every path. */
export interface Reach {
  readonly rules: FileRules
  readonly may: readonly FileRight[]
}

const RIGHTS = { read: 'files.read', write: 'files.write', delete: 'files.delete' } as const

const MOVING = 'The server is moving to another place: wait for it'

/** Why nobody may change the files now, by hold. Some holds apply to customers only. */
const HELD: Readonly<Record<string, { readonly why: string; readonly customers?: true }>> = {
  suspension: { why: 'The server is suspended: its files can only be read', customers: true },
  deletion: { why: 'The server is to be deleted: undo that first', customers: true },
  installing: { why: 'The server is being installed: wait until it is ready' },
  restoring: { why: 'A backup is being restored: wait for it' },
  migrating: { why: MOVING },
  deleting: { why: 'The server is being deleted' },
  failover: { why: 'The server is being brought back on another node: wait for it' },
}

/** Whether this person has the host's permission for the files of every server. */
export const isHost = (actor: User): boolean => hasPermission(actor, 'servers.files')

/** Why this person may not change the files now; undefined if they may. */
export async function whyHeld(
  db: Db,
  actor: User,
  { id, holds }: Pick<ServerView, 'id' | 'holds'>,
): Promise<string | undefined> {
  const held = holds.map(({ kind }) => HELD[kind])
  const why = held.find((one) => one && !(one.customers && isHost(actor)))?.why
  if (why !== undefined) return why
  // It is not held while it starts on its new storage, and may still go back to the former files.
  return (await isChangingStorage(db, id)) ? MOVING : undefined
}

const refused = (why: string, { holds }: Pick<ServerView, 'holds'>) =>
  new Problem('hold_active', why, { fields: { holds } })

/** @throws {Problem} hold_active */
export async function requireWritable(
  ctx: Ctx<User>,
  server: Pick<ServerView, 'id' | 'holds'>,
): Promise<void> {
  const why = await whyHeld(ctx.db, ctx.actor, server)
  if (why !== undefined) throw refused(why, server)
}

/**
 * The caller's access.
 * @param why why the files can only be read (`whyHeld`)
 */
export function reachOf(actor: User, server: SharedServer, why: string | undefined): Reach {
  const { permissions, files } = rightsOf(actor, server)
  const may = (Object.keys(RIGHTS) as FileRight[]).filter(
    (right) => permissions.includes(RIGHTS[right]) && (why === undefined || right === 'read'),
  )
  return { rules: files, may }
}

/** @throws {Problem} unsupported_on_node for a virtual machine */
export function requireContainer({ kind }: Pick<SharedServer, 'kind'>): void {
  if (kind !== 'vm') return
  throw new Problem(
    'unsupported_on_node',
    'A virtual machine keeps its files on disks of its own: use its screen, or connect to it',
  )
}

/**
 * Requires a node that serves the files of this server, and for changes a server without a hold.
 * @throws {Problem} unsupported_on_node, hold_active, node_unavailable
 */
export async function requireFiles(
  ctx: Ctx<User>,
  server: SharedServer,
  writes: boolean,
): Promise<Reach> {
  requireContainer(server)
  const why = await whyHeld(ctx.db, ctx.actor, server)
  if (writes && why !== undefined) throw refused(why, server)
  requireNode(server)
  await requireOnNode(ctx, server, 'files')
  return reachOf(ctx.actor, server, why)
}
