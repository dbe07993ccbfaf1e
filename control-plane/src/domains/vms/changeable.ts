import { Problem } from '../../problem.ts'
import { type ServerView, statusOf } from '../servers/index.ts'

interface Stopping {
  readonly stopping?: boolean | undefined
}

/**
 * Why a machine's hardware, disks and copies cannot be changed now; null if they can.
 * @param given.stopping whether it may be running, because it is stopped for the change
 */
export function whyNotChangeable(server: ServerView, given: Stopping = {}): string | null {
  const [hold] = server.holds
  if (hold) return HELD[hold.kind] ?? 'The machine is held: wait for that to end'
  if (!server.nodeOnline)
    return `The node ${server.nodeName} is not connected: wait until it is back`
  const runs = !['stopped', 'crashed', 'absent'].includes(server.observedState)
  if (server.observedState === 'installing')
    return 'The machine is being installed: wait until it is ready'
  if (given.stopping) return null
  if (runs) return 'The machine is running: stop it first'
  return server.desiredPower === 'on' ? whyNotOff(server) : null
}

/** It is not running, but is meant to start. */
function whyNotOff({ observedState, restartAt }: ServerView): string {
  if (observedState !== 'crashed') return 'The machine is starting: stop it first'
  return restartAt === null
    ? 'The machine went down by itself: mark it as stopped first'
    : 'The machine is about to restart: cancel that first'
}

const HELD: Readonly<Record<string, string>> = {
  suspension: 'The machine is suspended',
  deletion: 'The machine is to be deleted: undo that first',
  installing: 'The machine is being installed: wait until it is ready',
  'backing-up': 'A backup is being made: wait for it',
  restoring: 'The machine is being restored: wait for it',
  snapshotting: 'A snapshot is being made: wait for it',
  migrating: 'The machine is moving to another place: wait for it',
  deleting: 'The machine is being deleted',
  failover: 'The machine is being brought back on another node: wait for it',
}

/** @throws {Problem} hold_active, node_unavailable or invalid_state, with what to do */
export function requireChangeable(server: ServerView, given: Stopping = {}): void {
  const why = whyNotChangeable(server, given)
  if (why === null) return
  if (server.holds.length > 0)
    throw new Problem('hold_active', why, { fields: { holds: server.holds } })
  if (!server.nodeOnline) throw new Problem('node_unavailable', why, { retryAfterSeconds: 15 })
  throw new Problem('invalid_state', why, { fields: { serverStatus: statusOf(server) } })
}
