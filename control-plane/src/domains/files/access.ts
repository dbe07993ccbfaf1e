import type { FileRules } from '@lodge/shared/file-rules.ts'
import type { FileRight } from '@lodge/shared/files.ts'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import {
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

/** Why nobody may change the files now, by hold. Some holds apply to customers only. */
const HELD: Readonly<Record<string, { readonly why: string; readonly customers?: true }>> = {
  suspension: { why: 'The server is suspended: its files can only be read', customers: true },
  deletion: { why: 'The server is to be deleted: undo that first', customers: true },
  installing: { why: 'The server is being installed: wait until it is ready' },
  restoring: { why: 'A backup is being restored: wait for it' },
  migrating: { why: 'The server is moving to another place: wait for it' },
  deleting: { why: 'The server is being deleted' },
  failover: { why: 'The server is being brought back on another node: wait for it' },
}

/** Whether this person has the host's permission for the files of every server. */
export const isHost = (actor: User): boolean => hasPermission(actor, 'servers.files')

/** Why this person may not change the files now; undefined if they may. */
export function whyHeld(actor: User, { holds }: Pick<ServerView, 'holds'>): string | undefined {
  const held = holds.map(({ kind }) => HELD[kind])
  return held.find((one) => one && !(one.customers && isHost(actor)))?.why
}

/** @throws {Problem} hold_active */
export function requireWritable(actor: User, server: Pick<ServerView, 'holds'>): void {
  const why = whyHeld(actor, server)
  if (why !== undefined) throw new Problem('hold_active', why, { fields: { holds: server.holds } })
}

/** The caller's access; read-only while a hold applies. */
export function reachOf(actor: User, server: SharedServer): Reach {
  const { permissions, files } = rightsOf(actor, server)
  const held = whyHeld(actor, server) !== undefined
  const may = (Object.keys(RIGHTS) as FileRight[]).filter(
    (right) => permissions.includes(RIGHTS[right]) && !(held && right !== 'read'),
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
  if (writes) requireWritable(ctx.actor, server)
  requireNode(server)
  await requireOnNode(ctx, server, 'files')
  return reachOf(ctx.actor, server)
}
