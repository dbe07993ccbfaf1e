/**
 * Something outside of a saga that a step waits for. Whoever brings it about wakes the saga
 * (`SagaQueue.wakeForNodes`, `DesiredStateJobs.settle`).
 */
export type Fact = {
  /** In milliseconds, from when the step first waited; without one it waits for as long as it takes. */
  readonly withinMs?: number
} & (
  | { readonly kind: 'node-online'; readonly nodeId: string }
  /** The node has settled this generation of the job's server, or a newer one. */
  | { readonly kind: 'generation-settled'; readonly generation: number }
  | { readonly kind: 'time'; readonly at: Date }
)

/**
 * Ends a run without an outcome: the saga leaves its worker and begins its step anew when it is woken,
 * or after `lookAgainMs` at the latest.
 */
export class Parked extends Error {
  readonly lookAgainMs: number
  constructor(lookAgainMs: number) {
    super('the saga is parked')
    this.name = 'Parked'
    this.lookAgainMs = lookAgainMs
  }
}

/** Thrown into a step that has waited for as long as it was allowed to. */
export class WaitExpired extends Error {
  constructor() {
    super('what was waited for did not happen in time')
    this.name = 'WaitExpired'
  }
}
