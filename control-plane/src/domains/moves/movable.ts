import { isAdmin } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { type ServerView, statusOf } from '../servers/index.ts'

const HELD: Readonly<Record<string, string>> = {
  suspension: 'The server is suspended: lift that first, or ask the host to move it',
  deletion: 'The server is to be deleted: undo that first',
  installing: 'The server is being installed: wait until it is ready',
  'backing-up': 'A copy of its files is being made: wait for it',
  restoring: 'The server is being restored: wait for it',
  migrating: 'The server is moving to another place: wait for it',
  deleting: 'The server is being deleted',
  failover: 'The server is being brought back on another node: wait for it',
}

/** Why a container server cannot move now, whatever the target; null if it can. */
export function whyNotMovable(ctx: Ctx, view: ServerView): string | null {
  // The host may move a suspended customer's servers.
  const host = ctx.actor.kind === 'system' || isAdmin(ctx.actor)
  const hold = view.holds.find(({ kind }) => kind !== 'suspension' || !host)
  if (hold) return HELD[hold.kind] ?? 'The server is held: wait for that to end'
  if (!view.nodeOnline) return `${view.nodeName} is not connected: wait until it is back`
  const status = statusOf(view)
  if (status === 'installing') return HELD.installing ?? null
  if (status === 'install_failed' || view.observedState === 'absent')
    return 'The server is not installed: install it first'
  return null
}

/** @throws {Problem} hold_active, node_unavailable, invalid_state */
export function requireMovable(ctx: Ctx, view: ServerView): void {
  const why = whyNotMovable(ctx, view)
  if (why === null) return
  if (view.holds.length > 0)
    throw new Problem('hold_active', why, { fields: { holds: view.holds } })
  if (!view.nodeOnline) throw new Problem('node_unavailable', why, { retryAfterSeconds: 15 })
  throw new Problem('invalid_state', why, { fields: { serverStatus: statusOf(view) } })
}
