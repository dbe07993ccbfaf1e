import type { ContainerSpec, Signal } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Capabilities, Capability } from './capabilities.ts'
import type { OnProgress, ServerRef } from './work.ts'

export type { OnProgress, Progress, ServerRef } from './work.ts'

/**
 * What every way of running a server can do. Vocabulary: a *server* is what a customer owns; its
 * *workload* is the process group or machine that runs it; its *data* outlives every workload.
 *
 * Invariants every driver keeps (the conformance suite in `suite.ts` executes them):
 * - nothing is remembered outside the runtime: after a crash of the agent `recover` finds everything;
 * - every method may be repeated; asking for what already is, is not an error;
 * - a workload is never restarted by the runtime itself: restarts belong to the agent;
 * - a reader that stops reading never slows a workload.
 *
 * For a virtual machine the workload is its definition with the runtime, and its data are disks, firmware
 * variables, TPM state and snapshots.
 *
 * These methods every driver has. What else it can do it shows by having a property of `Capabilities`.
 */
export interface Driver<Spec extends WorkloadSpec = ContainerSpec> extends Capabilities<Spec> {
  readonly kind: 'docker' | 'libvirt' | 'fake'
  /** The kinds of server that `Spec` names. */
  readonly runs: readonly WorkloadKind[]
  /** Is the runtime there and fit? Answers within five seconds, never throws. */
  probe(signal: AbortSignal): Promise<Health>
  /** Everything this driver runs or keeps for us, found in the runtime itself. */
  recover(signal: AbortSignal): Promise<readonly RecoveredWorkload[]>
  /**
   * Makes data folder, network, image and workload as the spec says, without starting it. A running
   * workload is only changed where that is possible live (memory, CPU, pids); otherwise the answer says
   * that a restart is needed. A stopped workload of another spec is made anew.
   *
   * For a machine: disks that it never had are made empty, disks grow and never shrink (`invalid_spec`),
   * a disk that it had and that is gone is `disk_missing`, never an empty one in its place. Medium, NAT
   * rules, CPU share and the limits of disks also change while it runs.
   */
  apply(
    server: ServerRef,
    spec: Spec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Applied>
  /**
   * Returns when the runtime says that it runs; that it is *alive* is for the agent to judge.
   * A machine boots with a permit only, which the runtime itself demands also of a start by hand.
   * Throws `not_permitted` without one or with one that is over.
   */
  start(serverId: string, signal: AbortSignal, permit?: BootPermit): Promise<void>
  /**
   * Sends a signal; nothing happens when the workload does not run. SIGTERM asks a machine to shut down
   * as its spec says (`stop.by`); any other but SIGKILL is let pass.
   */
  signal(serverId: string, signal: Signal): Promise<void>
  /** Ends the workload at once, whatever it is doing, an installer included. */
  kill(serverId: string): Promise<void>
  /** Takes away workload, network and data. */
  remove(serverId: string): Promise<void>
  /** What happens to workloads, from now on until aborted. After a `reset` the agent calls `recover`. */
  events(signal: AbortSignal): AsyncIterable<DriverEvent>
  /** One measurement of each running workload. */
  sample(signal: AbortSignal): Promise<readonly WorkloadSample[]>
  /** Absolute path of the server's data folder on this machine. */
  dataFolder(serverId: string): string
}

/** A driver that is known to have these capabilities. */
export type DriverWith<
  Name extends Capability,
  Spec extends WorkloadSpec = ContainerSpec,
> = Driver<Spec> & Required<Pick<Capabilities<Spec>, Name>>

/** A server is run as a container or as a virtual machine. */
export type WorkloadKind = 'container' | 'machine'

export type Health =
  | {
      readonly ok: true
      readonly version: string
      /** What works less well than it should on this machine, in words for its administrator. */
      readonly warnings?: readonly string[]
    }
  | { readonly ok: false; readonly why: string }

export interface RecoveredWorkload extends ServerRef {
  readonly running: boolean
  /** Fingerprint of the spec that the workload was made from (`specFingerprint`). */
  readonly fingerprint: string
  readonly startedAt: Date | null
  readonly lastExit: Exit | null
  /** False when the data is there but the workload is not (removed behind our back, or never made). */
  readonly exists: boolean
}

export interface Exit {
  readonly code: number | null
  readonly signal: Signal | null
  readonly outOfMemory: boolean
  readonly at: Date
  /** How a machine came to its end; containers have none. */
  readonly cause?: ExitCause
}

/**
 * `shutdown`: the guest powered itself off, asked or not (code 0). `panic`, `watchdog`: its system said
 * so (code 1). `lost`: the process that carries it is gone (code null). `ended`: we ended it (SIGKILL).
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
  /** A process inside ran out of memory; the workload itself may go on. */
  | { readonly kind: 'out-of-memory'; readonly serverId: string; readonly at: Date }
  | { readonly kind: 'removed'; readonly serverId: string; readonly at: Date }
  /** A machine restarted itself; it ran on all the time. Told once for each time. */
  | { readonly kind: 'rebooted'; readonly serverId: string; readonly at: Date }
  /** The connection to the runtime was lost and is back; anything may have happened meanwhile. */
  | { readonly kind: 'reset' }

export interface WorkloadSample {
  readonly serverId: string
  readonly at: Date
  readonly cpuPercent: number
  readonly memoryBytes: number
  /** The node has counted the memory, as the guest does not say what it uses. */
  readonly memoryOfNode?: boolean
  readonly networkRxBytes: number
  readonly networkTxBytes: number
  readonly diskBytes: number | null
}

/** The right to boot a guest once, within moments; the answer to a question to the control plane. */
export interface BootPermit {
  /** Names the question. */
  readonly attempt: string
  readonly nodeEpoch: number
  readonly placementGeneration: number
  /** On the clock of `os.uptime()`, in milliseconds: it goes on while the machine sleeps. */
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
  'medium_unavailable',
  'medium_invalid',
  'copy_damaged',
  'unsupported',
] as const
export type DriverErrorCode = (typeof DRIVER_ERROR_CODES)[number]

/** The only error a driver throws on purpose. `message` is fit for the server's owner. */
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
