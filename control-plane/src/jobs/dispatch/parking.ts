/**
 * An external fact that a step waits for. Whoever causes it wakes the saga
 * (`SagaQueue.wakeForNodes`, `DesiredStateJobs.settle`, the end of a saga).
 */
export type Fact = {
  /** Milliseconds from when the step first waited for this; without it there is no deadline. */
  readonly withinMs?: number
} & (
  | { readonly kind: 'node-online'; readonly nodeId: string }
  /** The node has settled this or a newer generation of the job's server. */
  | {
      readonly kind: 'generation-settled'
      readonly generation: number
      /**
       * The deadline passes only once this node has been connected for as long, too. Silence proves
       * nothing: after an outage, the server may have run for hours when its node reports it.
       */
      readonly nodeId?: string
    }
  /** Another saga has ended, in whatever way. */
  | { readonly kind: 'job-ended'; readonly jobId: string }
  | { readonly kind: 'time'; readonly at: Date }
)

/**
 * Ends a run without an outcome: the saga leaves its worker and restarts its step when woken, or
 * after `lookAgainMs` at the latest.
 */
export class Parked extends Error {
  readonly lookAgainMs: number
  constructor(lookAgainMs: number) {
    super('the saga is parked')
    this.name = 'Parked'
    this.lookAgainMs = lookAgainMs
  }
}

/** Thrown into a step whose wait has passed its deadline. */
export class WaitExpired extends Error {
  constructor() {
    super('what was waited for did not happen in time')
    this.name = 'WaitExpired'
  }
}
