/**
 * The lease of a node as its agent knows it. All times are milliseconds of the node's clock since
 * boot that counts suspend too (`os.uptime()`): wall clocks are stepped, and the monotonic clock of
 * a program stops while the machine sleeps.
 */
export interface NodeLease {
  /** Raised by each takeover and each new credential. */
  readonly epoch: number
  /** When the lease ends; null: there was none since the machine started. */
  readonly deadlineMs: number | null
  /** The node was taken over, and has not been accepted again yet. */
  readonly fenced: boolean
  /** Heartbeats that asked for a lease and are not answered. */
  readonly asked: readonly Asked[]
}

interface Asked {
  readonly sequence: number
  readonly sentMs: number
}

/** What an acknowledgement of a heartbeat grants. */
export interface Grant {
  readonly sequence: number
  readonly epoch: number
  /** Undefined: nothing is granted. */
  readonly ttlMs: number | undefined
}

/** Later answers than these would hardly grant anything any more. */
const MOST_ASKED = 64

/** Before the first Welcome: nothing guarded may run or boot. */
export const noLease = (epoch: number): NodeLease => ({
  epoch,
  deadlineMs: null,
  fenced: false,
  asked: [],
})

/**
 * Whether the next heartbeat may ask for a lease: only while the guard is known to live, because a
 * lease promises that everything under it is dead when it ends (I2).
 */
export const mayAsk = (
  lease: NodeLease,
  guardHeardMs: number | null,
  nowMs: number,
  guardSilentMs: number,
): boolean => !lease.fenced && guardHeardMs !== null && nowMs - guardHeardMs < guardSilentMs

/** Call it before the heartbeat is handed to the stream: a lease counts from here, never from later. */
export function asking(lease: NodeLease, sequence: number, nowMs: number): NodeLease {
  const asked = [...lease.asked, { sequence, sentMs: nowMs }].slice(-MOST_ASKED)
  return { ...lease, asked }
}

/**
 * The lease after an acknowledgement. It is anchored at the time at which the node had sent the
 * heartbeat: the control plane's count begins when it recorded that heartbeat, which is later, so
 * the lease ends first (I1). Whatever is not the answer to a heartbeat of this epoch changes nothing,
 * and nothing makes a lease shorter: an earlier one may be known to no one but this node.
 */
export function granted(lease: NodeLease, { sequence, epoch, ttlMs }: Grant): NodeLease {
  if (lease.fenced || epoch !== lease.epoch) return lease
  const question = lease.asked.find((one) => one.sequence === sequence)
  if (!question) return lease
  const asked = lease.asked.filter((one) => one.sequence > sequence)
  if (ttlMs === undefined || !(ttlMs > 0)) return { ...lease, asked }
  const deadlineMs = Math.max(lease.deadlineMs ?? 0, question.sentMs + ttlMs)
  return { ...lease, asked, deadlineMs }
}

/**
 * The lease at the beginning of a session. A fenced node has none from this moment: what it runs may
 * be running elsewhere. Answers to heartbeats of earlier sessions no longer count.
 */
export function welcomed(
  lease: NodeLease,
  { epoch, fenced }: { readonly epoch: number; readonly fenced: boolean },
  nowMs: number,
): NodeLease {
  const ended = lease.deadlineMs === null ? null : Math.min(lease.deadlineMs, nowMs)
  return { epoch, fenced, asked: [], deadlineMs: fenced ? ended : lease.deadlineMs }
}

/** The control plane has accepted the proof that nothing guarded runs. Leases are granted again. */
export const rejoined = (lease: NodeLease, epoch: number): NodeLease =>
  lease.fenced && epoch === lease.epoch ? { ...lease, fenced: false } : lease

/**
 * Whether the node may confirm now that a server is guarded. With a running workload it needs a lease
 * for that: when the lease is over already, the workload is not dead yet, but a confirmation would
 * let it be started elsewhere at once (I1).
 */
export const mayConfirm = (lease: NodeLease, isRunning: boolean, nowMs: number): boolean =>
  !lease.fenced && (!isRunning || leftMs(lease, nowMs) > 0)

/** What is left of the lease; zero or less: everything guarded must die. */
export const leftMs = (lease: Pick<NodeLease, 'deadlineMs'>, nowMs: number): number =>
  lease.deadlineMs === null ? 0 : lease.deadlineMs - nowMs

/**
 * Whether everything guarded must be killed now, as the guard and the agent both decide it, each for
 * itself (I2).
 */
export const mustKill = (deadlineMs: number | null, nowMs: number): boolean =>
  leftMs({ deadlineMs }, nowMs) <= 0
