// Without schemas, so that a page that only checks what is possible loads none.

/** States of a server that the agent observes; only the agent writes them. */
export const OBSERVED_STATES = [
  'absent',
  'installing',
  'stopped',
  'starting',
  'running',
  'stopping',
  'crashed',
] as const

/** Reasons why a server may not do as its owner wants; each is set and lifted only by its own cause. */
export const HOLD_KINDS = [
  'suspension',
  /** Deleted by its owner, who can undo it during the cooling-off period. */
  'deletion',
  'installing',
  /** Its files are being copied; it goes on, but nothing may replace them. */
  'backing-up',
  'restoring',
  'snapshotting',
  'migrating',
  'deleting',
  'failover',
  /** Its node knows more of it than the database: an operator decides. */
  'set-back',
] as const

/** Who suspends servers. Each lifts only its own suspensions. */
export const SUSPENSION_CAUSES = [
  'account',
  'billing',
  'dispute',
  'token',
  'administrator',
] as const

export const SERVER_STATUSES = [
  'installing',
  'install_failed',
  'stopped',
  'starting',
  'running',
  'stopping',
  'crashed',
  'ended',
  'restarting',
  'suspended',
  'deletion_scheduled',
  'restoring',
  'snapshotting',
  'migrating',
  'deleting',
  'unknown',
] as const

type HoldKind = (typeof HOLD_KINDS)[number]
type ServerStatus = (typeof SERVER_STATUSES)[number]
type ServerAction = (typeof SERVER_ACTIONS)[number]

export interface StatusInput {
  readonly desiredPower: 'on' | 'off'
  readonly observedState: (typeof OBSERVED_STATES)[number]
  /** The crash policy will restart it. */
  readonly restartPending: boolean
  /** It exited by itself without an error. */
  readonly endedWell: boolean
  readonly installFailed: boolean
  readonly holds: readonly HoldKind[]
  /** The node has been silent for longer than the grace period, or is back and has not reported it yet. */
  readonly nodeSilent: boolean
}

/** Whether a workload exited by itself without an error. */
export const isCleanExit = (exit: {
  readonly code: number | null
  readonly signal: string | null
  readonly outOfMemory: boolean
}): boolean => exit.code === 0 && exit.signal === null && !exit.outOfMemory

/** The status people see. A hold wins over the observed state. */
export function serverStatus(input: StatusInput): ServerStatus {
  const { holds, observedState } = input
  if (holds.includes('deleting')) return 'deleting'
  if (holds.includes('migrating') || holds.includes('failover')) return 'migrating'
  if (holds.includes('restoring')) return 'restoring'
  if (holds.includes('snapshotting')) return 'snapshotting'
  if (input.nodeSilent) return 'unknown'
  if (holds.includes('suspension')) return observedState === 'stopping' ? 'stopping' : 'suspended'
  if (holds.includes('deletion'))
    return observedState === 'stopping' ? 'stopping' : 'deletion_scheduled'
  if (observedState === 'installing' || holds.includes('installing')) return 'installing'
  if (input.installFailed) return 'install_failed'
  if (observedState === 'absent') return input.desiredPower === 'on' ? 'starting' : 'stopped'
  if (observedState === 'crashed') {
    if (input.restartPending) return 'restarting'
    return input.endedWell ? 'ended' : 'crashed'
  }
  if (observedState === 'stopped' && input.desiredPower === 'on') return 'starting'
  // Not confirmed by the node yet, but no later response may show it running again.
  if (input.desiredPower === 'off' && (observedState === 'running' || observedState === 'starting'))
    return 'stopping'
  return observedState
}

export const SERVER_ACTIONS = [
  'start',
  'stop',
  'restart',
  'kill',
  'suspend',
  'unsuspend',
  'reinstall',
  'backup',
  'restore',
] as const

const busy = ['deleting', 'migrating', 'restoring', 'snapshotting'] as const
const anyBut = (...excluded: readonly ServerStatus[]) =>
  SERVER_STATUSES.filter((status) => !excluded.includes(status))

/** The statuses from which an action is allowed; an action that a hold forbids is not in that hold's row. */
export const ACTION_FROM: Readonly<Record<ServerAction, readonly ServerStatus[]>> = {
  start: ['stopped', 'crashed', 'ended', 'restarting', 'stopping', 'unknown'],
  stop: ['starting', 'running', 'restarting', 'stopping', 'crashed', 'ended', 'unknown'],
  restart: ['starting', 'running', 'restarting', 'crashed', 'ended', 'stopped', 'stopping'],
  kill: SERVER_STATUSES,
  suspend: anyBut(...busy),
  unsuspend: ['suspended', 'stopping', 'unknown'],
  reinstall: [
    'install_failed',
    'stopped',
    'crashed',
    'ended',
    'running',
    'starting',
    'restarting',
    'stopping',
  ],
  backup: anyBut('installing', 'install_failed', 'suspended', 'deletion_scheduled', ...busy),
  restore: anyBut('installing', 'suspended', 'deletion_scheduled', ...busy),
}

/**
 * What `stop` comes to for a server: its program ends, its coming restart is cancelled, or nothing
 * runs and it only counts as stopped from then on, no longer as crashed or ended.
 * @param restartAt when the crash policy will start it again
 */
export function stopEffect({
  status,
  restartAt,
}: {
  readonly status: ServerStatus
  readonly restartAt: string | null
}): 'ends' | 'cancels_restart' | 'marks_stopped' {
  if (status === 'restarting' && restartAt !== null) return 'cancels_restart'
  return status === 'crashed' || status === 'ended' ? 'marks_stopped' : 'ends'
}

/**
 * Why an action is not possible now, in words for the button's tooltip and the API's problem;
 * undefined when it is.
 */
export function whyNot(action: ServerAction, status: ServerStatus): string | undefined {
  if (ACTION_FROM[action].includes(status)) return undefined
  const words: Partial<Record<ServerStatus, string>> = {
    installing: 'The server is being installed',
    install_failed: 'The installation failed: reinstall the server first',
    suspended: 'The server is suspended',
    deletion_scheduled: 'The server is to be deleted: undo that first',
    deleting: 'The server is being deleted',
    migrating: 'The server is moving to another place',
    restoring: 'The server is being restored',
    snapshotting: 'A snapshot is being made',
    unknown: 'The node is not connected, or has only just come back',
    crashed: 'The server has crashed',
    ended: 'The server has ended',
  }
  if (action === 'unsuspend') return words[status] ?? 'The server is not suspended'
  return words[status] ?? `The server is ${status}`
}
