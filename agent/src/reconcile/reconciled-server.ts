import type { Exit, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { ServerEvent } from '@lodge/shared/servers.ts'
import type { Facts, StartCause, Work } from './decide.ts'
import type { DesiredState } from './desired-state.ts'
import type { EventDetails } from './event.ts'
import type { Memory } from './memory.ts'
import type { Surroundings } from './surroundings.ts'
import type { EndWaiters } from './wait-for-end.ts'

/** One server as its reconciler lends it to the pieces of work that are done on it. */
export interface ReconciledServer {
  readonly serverId: string
  readonly around: Surroundings
  readonly ends: EndWaiters
  readonly memory: Memory
  readonly desired: DesiredState | null
  /** The newest document that could be used, also when nothing is desired any more. */
  readonly spec: WorkloadSpec | null
  /** The piece of work under way. */
  readonly work: Work | null
  facts: Facts
  /** Why it was started last. */
  startCause: StartCause
  /** When the runtime was last asked to start the workload. */
  startedMs: number
  outOfMemoryMs: number
  removedOutside: boolean
  /** Why a machine may not boot now, in words; empty when nothing is in its way. */
  bootWaitsFor: string
  /** Tries in a row that failed, and when the next one may be. */
  retries: number
  retryAtMs: number | null

  /** Takes in what the runtime keeps at the beginning, or after a reset. No work may be under way. */
  adopt(found: RecoveredWorkload | undefined): void
  /** Looks at the situation and does the next step. */
  wake(): void
  /** The outcome of the newest desired state is known; it went wrong when `memory.failure` says so. */
  settle(): void
  /** @param sinceMs when it came to be so; now, unless something else says it */
  phase(phase: Memory['phase'], sinceMs?: number): void
  /** A start was not carried out. */
  notStarted(): void
  /** Tries the same again after a while that grows with each try. */
  retryLater(): void
  remember(exit: Exit): void
  /**
   * Watches the workload for its proof of life.
   * @param earlierLines what it said before the agent listened
   * @param started resolves when the engine says that it runs
   */
  probe(earlierLines: readonly string[], started: Promise<void>): void
  endProof(): void
  /** Writes an event and what is remembered at once into the journal. */
  report(kind: ServerEvent['kind'], details: EventDetails): void
  save(): void
}
