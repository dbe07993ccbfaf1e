import { interruption, type Work } from './state/decide.ts'
import type { DesiredState } from './state/desired-state.ts'
import type { Surroundings } from './state/surroundings.ts'
import { Interrupted } from './steps/interrupted.ts'

/** Work that ignores its abort is abandoned after this long. */
const PATIENCE_MS = 15_000

export interface WorkHooks {
  /** It is under way; called before its first step. */
  begun(): void
  /** It failed unexpectedly. */
  failed(): void
  /** It has ended or was abandoned, and other work may begin. */
  over(failed: boolean): void
}

/** The one piece of work under way on a server. */
export class CurrentWork {
  readonly #serverId: string
  readonly #around: Surroundings
  #current: { kind: Work; begun: DesiredState | null; abort: AbortController } | null = null

  constructor(serverId: string, around: Surroundings) {
    this.#serverId = serverId
    this.#around = around
  }

  get kind(): Work | null {
    return this.#current?.kind ?? null
  }

  /** @param desired the desired state that the work serves */
  begin(
    kind: Work,
    desired: DesiredState | null,
    work: (abort: AbortSignal) => Promise<void>,
    hooks: WorkHooks,
  ): void {
    const begun = { kind, begun: desired, abort: new AbortController() }
    this.#current = begun
    hooks.begun()
    const patience = new Promise<void>((resolve) => {
      begun.abort.signal.addEventListener('abort', () => {
        if (kind !== 'end') this.#around.clock.after(PATIENCE_MS, resolve)
      })
    })
    let failed = false
    const done = work(begun.abort.signal).catch((error: unknown) => {
      failed = true
      this.#around.log.error(
        { err: error, serverId: this.#serverId, work: kind },
        'work on a server failed',
      )
      hooks.failed()
    })
    void Promise.race([done, patience]).then(() => {
      // Abandoned work that finishes late must not affect its successor.
      if (this.#current !== begun) return
      this.#current = null
      hooks.over(failed)
    })
  }

  /** Interrupts the work if it is of no use for this desired state. */
  interruptFor(desired: DesiredState | null): void {
    const work = this.#current
    if (!work) return
    const how = interruption(work.kind, work.begun, desired)
    if (!how || work.abort.signal.aborted) return
    work.abort.abort(new Interrupted())
    // Kill does not wait for the work under way to notice its abort.
    if (how === 'kill' && work.kind !== 'end') {
      this.#around.driver.kill(this.#serverId).catch((error: unknown) => {
        this.#around.log.warn({ err: error, serverId: this.#serverId }, 'kill failed')
      })
    }
  }

  abort(): void {
    this.#current?.abort.abort(new Interrupted())
  }
}
