import { type ProofOptions, watchProof } from './readiness-probe.ts'

/** Watches whether a started workload becomes ready; only its newest start counts. */
export class ProofWatch {
  #timedOut = false
  #cancel: (() => void) | null = null

  /** The newest start did not become ready in time. */
  get timedOut(): boolean {
    return this.#timedOut
  }

  /** @param decided called once it is ready or the time is over */
  begin(options: Omit<ProofOptions, 'decided'>, decided: () => void): void {
    this.end()
    this.#timedOut = false
    this.#cancel = watchProof({
      ...options,
      decided: (verdict) => {
        this.#cancel = null
        this.#timedOut = verdict !== 'alive'
        decided()
      },
    })
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
