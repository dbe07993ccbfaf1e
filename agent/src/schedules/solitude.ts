import type { Clock } from '../clock.ts'
import type { Journal } from '../journal/journal.ts'

const SINCE = 'alone_since'
const SENT_AWAY = 'sent_away'

export interface SolitudeOptions {
  readonly clock: Clock
  readonly journal: Pick<Journal, 'setting' | 'saveSetting' | 'attempt'>
  /** For this long the control plane may be away before the node acts by itself. */
  readonly afterMs: number
  /** The node is alone from now on. */
  readonly began: () => void
}

/**
 * Whether the node is alone: its control plane has been away for long enough. A control plane that
 * answers and does not accept the node is not away, so a removed node never acts by itself.
 */
export class Solitude {
  readonly #options: SolitudeOptions
  #heardMs: number
  #sentAway: boolean
  #isAlone = false
  #cancel: (() => void) | undefined

  constructor(options: SolitudeOptions) {
    this.#options = options
    const { clock, journal } = options
    this.#heardMs = Number(journal.setting(SINCE) || clock.nowMs())
    this.#sentAway = journal.setting(SENT_AWAY) === 'yes'
  }

  get isAlone(): boolean {
    return this.#isAlone
  }

  /** When the control plane was last heard; what was due before is its business. */
  get sinceMs(): number {
    return this.#heardMs
  }

  heard(): void {
    this.#heardMs = this.#options.clock.nowMs()
  }

  /** The control plane has accepted the node. */
  welcomed(): void {
    const { journal } = this.#options
    this.stop()
    this.heard()
    this.#sentAway = false
    if (journal.setting(SINCE)) this.#note(SINCE, '')
    if (journal.setting(SENT_AWAY) === 'yes') this.#note(SENT_AWAY, '')
  }

  /** There is no connection. @param refused the control plane does not accept the node */
  lost(refused: boolean): void {
    const { clock, journal, afterMs, began } = this.#options
    if (refused) {
      this.#sentAway = true
      if (journal.setting(SENT_AWAY) !== 'yes') this.#note(SENT_AWAY, 'yes')
    }
    if (this.#sentAway) this.stop()
    if (this.#sentAway || this.#isAlone || this.#cancel) return
    if (!journal.setting(SINCE)) this.#note(SINCE, String(this.#heardMs))
    this.#cancel = clock.after(afterMs, () => {
      this.#cancel = undefined
      this.#isAlone = true
      began()
    })
  }

  /** For the next agent; this one knows. */
  #note(name: string, value: string): void {
    const { journal } = this.#options
    journal.attempt(() => journal.saveSetting(name, value))
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#isAlone = false
  }
}
