import type { Exit, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { ServerEvent } from '@lodge/shared/servers.ts'
import type { Facts, StartCause, Work } from './decide.ts'
import type { DesiredState } from './desired-state.ts'
import type { EventDetails } from './event.ts'
import type { Memory } from './memory.ts'
import type { Surroundings } from './surroundings.ts'
import type { EndWaiters } from './wait-for-end.ts'

/** The view of a reconciler that is passed to the work done on its server. */
export interface ReconciledServer {
  readonly serverId: string
  readonly around: Surroundings
  readonly ends: EndWaiters
  readonly memory: Memory
  readonly desired: DesiredState | null
  /** The newest valid document, kept even when nothing is desired any more. */
  readonly spec: WorkloadSpec | null
  /** The work under way. */
  readonly work: Work | null
  facts: Facts
  /** The cause of the last start. */
  startCause: StartCause
  /** When the runtime was last told to start the workload. */
  startedMs: number
  outOfMemoryMs: number
  removedOutside: boolean
  /** Why it may not boot now; empty when it may. */
  bootWaitsFor: string
  /** Consecutive failed attempts, and the earliest time of the next one. */
  retries: number
  retryAtMs: number | null

  /**
   * Replaces the facts with the runtime's state, at startup or after a reset. No work may be under
   * way.
   */
  adopt(found: RecoveredWorkload | undefined): void
  /** Evaluates the situation and begins the next step. */
  wake(): void
  /**
   * Records that the outcome of the newest desired state is known; it failed if `memory.failure` is
   * set.
   */
  settle(): void
  /**
   * Changes the phase.
   * @param sinceMs when it began; defaults to now
   */
  phase(phase: Memory['phase'], sinceMs?: number): void
  /** A start was not carried out. */
  notStarted(): void
  /** Schedules another attempt with exponential backoff. */
  retryLater(): void
  remember(exit: Exit): void
  /**
   * Watches the workload's readiness probe.
   * @param earlierLines output from before the agent followed it
   * @param started resolves when the engine reports the workload as running
   */
  probe(earlierLines: readonly string[], started: Promise<void>): void
  endProof(): void
  /**
   * Commits an event and the memory to the journal in one transaction, so that a crash cannot
   * separate the two.
   */
  report(kind: ServerEvent['kind'], details: EventDetails): void
  /** @returns whether the journal has the memory as it is now */
  save(): boolean
}
