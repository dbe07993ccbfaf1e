import type { ContainerSpec, Signal } from '@lodge/shared/container-spec.ts'
import type { DriverWarning } from '@lodge/shared/driver-warnings.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Capabilities, Capability } from './capabilities.ts'
import type { Trace } from './trace.ts'
import type { OnProgress, ServerRef } from './work.ts'

export type { OnProgress, Progress, ServerRef } from './work.ts'

/**
 * What every driver implements. Vocabulary: a *server* is what a customer owns; its *workload* is
 * the process group or machine that runs it; its *data* outlives every workload.
 *
 * Invariants of every driver, enforced by the conformance suite in `suite.ts`:
 * - no state outside the runtime: after a crash of the agent, `recover` finds everything;
 * - every method is idempotent: requesting the current state is not an error;
 * - the runtime never restarts a workload: restarts belong to the agent;
 * - a reader that stops reading never slows a workload.
 *
 * For a virtual machine, the workload is its definition in the runtime, and its data are disks,
 * firmware variables, TPM state and snapshots.
 *
 * Every driver has these methods. Optional ones are properties of `Capabilities`.
 */
export interface Driver<Spec extends WorkloadSpec = ContainerSpec> extends Capabilities<Spec> {
  readonly kind: 'docker' | 'libvirt' | 'fake'
  /** The kinds of server that `Spec` covers. */
  readonly runs: readonly WorkloadKind[]
  /** Checks that the runtime is available and usable. Answers within five seconds, never throws. */
  probe(signal: AbortSignal): Promise<Health>
  /** Lists everything that belongs to this driver, as found in the runtime itself. */
  recover(signal: AbortSignal): Promise<readonly RecoveredWorkload[]>
  /**
   * Creates data folder, network, image and workload as specified, without starting it. A running
   * workload is changed only where that is possible live (memory, CPU, pids); otherwise the result
   * asks for a restart. A stopped workload with a different spec is recreated.
   *
   * For a machine: creates new disks empty; grows disks but never shrinks them (`invalid_spec`); a
   * known disk that is missing is `disk_missing`, because an empty replacement would hide the loss.
   * Medium, NAT rules, CPU share and disk limits also change while it runs.
   */
  apply(
    server: ServerRef,
    spec: Spec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied>
  /**
   * Returns when the runtime reports the workload as running; whether it is *ready* is for the
   * agent to judge. A machine boots only with a permit, which the runtime also demands for a manual
   * start. Throws `not_permitted` when the permit is missing or expired.
   */
  start(serverId: string, signal: AbortSignal, permit?: BootPermit): Promise<void>
  /**
   * Sends a signal; does nothing when the workload is not running. SIGTERM asks a machine to shut
   * down as its spec says (`stop.by`); other signals except SIGKILL are ignored.
   */
  signal(serverId: string, signal: Signal): Promise<void>
  /** Kills the workload at once, including a running installer. */
  kill(serverId: string): Promise<void>
  /**
   * Removes workload, network and data. Files on a shared storage stay, since another node may have
   * them: only `and-shared`, for the deletion of the server itself, removes those, too.
   */
  remove(serverId: string, andShared?: 'and-shared'): Promise<void>
  /**
   * Yields workload events from now on until aborted. After a `reset` the agent calls `recover`.
   */
  events(signal: AbortSignal): AsyncIterable<DriverEvent>
  /** Samples each running workload once. */
  sample(signal: AbortSignal): Promise<readonly WorkloadSample[]>
  /**
   * What tells the server's processes from all others, already before they are started. A workload
   * that is created again has other traces; empty when there is none yet.
   */
  tracesOf(serverId: string): Promise<readonly Trace[]>
  /** Absolute path of the server's data folder on this node. */
  dataFolder(serverId: string): string
}

/** A driver with these capabilities. */
export type DriverWith<
  Name extends Capability,
  Spec extends WorkloadSpec = ContainerSpec,
> = Driver<Spec> & Required<Pick<Capabilities<Spec>, Name>>

/** Whether a server runs as a container or as a virtual machine. */
export type WorkloadKind = 'container' | 'machine'

export type Health =
  | {
      readonly ok: true
      readonly version: string
      /** What works worse than it should on this node, for its administrator. */
      readonly warnings?: readonly DriverWarning[]
    }
  | { readonly ok: false; readonly why: string }

export interface RecoveredWorkload extends ServerRef {
  readonly running: boolean
  /** Fingerprint of the spec that the workload was created from (`specFingerprint`). */
  readonly fingerprint: string
  readonly startedAt: Date | null
  readonly lastExit: Exit | null
  /** False when there is data but no workload (removed externally or never created). */
  readonly exists: boolean
}

export interface Exit {
  readonly code: number | null
  readonly signal: Signal | null
  readonly outOfMemory: boolean
  readonly at: Date
  /** How a machine ended; absent for containers. */
  readonly cause?: ExitCause
}

/**
 * `shutdown`: the guest powered off, on request or by itself (code 0). `panic`, `watchdog`:
 * reported by the guest's system (code 1). `lost`: the QEMU process disappeared (code null).
 * `ended`: killed by the agent (SIGKILL).
 */
export type ExitCause = 'shutdown' | 'panic' | 'watchdog' | 'lost' | 'ended'

export interface Applied {
  readonly restartRequired: boolean
  /** `enforced` by the kernel, or only `measured` by walking the folder. */
  readonly diskLimit: 'enforced' | 'measured'
}

export type DriverEvent =
  | { readonly kind: 'started'; readonly serverId: string; readonly at: Date }
  | { readonly kind: 'exited'; readonly serverId: string; readonly exit: Exit }
  /** A process inside was killed for lack of memory; the workload itself may keep running. */
  | { readonly kind: 'out-of-memory'; readonly serverId: string; readonly at: Date }
  | { readonly kind: 'removed'; readonly serverId: string; readonly at: Date }
  /** A machine rebooted itself without stopping. One event per reboot. */
  | { readonly kind: 'rebooted'; readonly serverId: string; readonly at: Date }
  /** The connection to the runtime was lost and is restored; events in between are missing. */
  | { readonly kind: 'reset' }

export interface WorkloadSample {
  readonly serverId: string
  readonly at: Date
  readonly cpuPercent: number
  readonly memoryBytes: number
  /** Memory measured by the node, because the guest does not report its own use. */
  readonly memoryOfNode?: boolean
  readonly networkRxBytes: number
  readonly networkTxBytes: number
  readonly diskBytes: number | null
}

/** The right to boot a guest once within seconds, granted by the control plane. */
export interface BootPermit {
  /** Identifies the request. */
  readonly attempt: string
  readonly nodeEpoch: number
  readonly placementGeneration: number
  /**
   * On the clock of `os.uptime()`, in milliseconds, which includes suspend: wall clocks may jump.
   */
  readonly validUntilUptimeMs: number
}

export const DRIVER_ERROR_CODES = [
  'runtime_unavailable',
  'image_unavailable',
  'install_failed',
  'port_in_use',
  'disk_full',
  'not_running',
  'not_found',
  'invalid_spec',
  'timeout',
  'start_failed',
  'not_permitted',
  'not_stopped',
  'disk_missing',
  'storage_away',
  'medium_unavailable',
  'medium_invalid',
  'copy_damaged',
  /** Damaged, or only out of reach for now: nobody can tell yet. */
  'copy_unreadable',
  'unsupported',
] as const
export type DriverErrorCode = (typeof DRIVER_ERROR_CODES)[number]

/** The only error that drivers throw deliberately. `message` suits the server's owner. */
export class DriverError extends Error {
  readonly code: DriverErrorCode
  /** True when the same call may succeed later without any change. */
  readonly retryable: boolean
  constructor(
    code: DriverErrorCode,
    message: string,
    options: { retryable?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'DriverError'
    this.code = code
    this.retryable = options.retryable ?? false
  }
}
