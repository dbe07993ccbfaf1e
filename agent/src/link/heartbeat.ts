import type { Clock } from '../clock.ts'
import type { Monitors } from '../monitors.ts'
import type { Writer } from './writer.ts'

/** Tells the control plane regularly that the node is there, with the news of its monitors. */
export class Heartbeat {
  readonly #monitors: Monitors
  readonly #writer: Writer
  readonly #clock: Clock
  #beats = 0
  #cancel = () => {}

  constructor(given: { monitors: Monitors; writer: Writer; clock: Clock }) {
    this.#monitors = given.monitors
    this.#writer = given.writer
    this.#clock = given.clock
  }

  /** Sends one now. */
  async beat(): Promise<void> {
    const { preflight, virtualization, hardware } = this.#monitors
    const answers = await this.#monitors.health()
    // News is told once per session, and Hello tells all of it: do not spend it on a closed stream.
    if (!this.#writer.isOpen) return
    const value = {
      sequence: ++this.#beats,
      drivers: answers,
      preflight: preflight.news(),
      virtualization: virtualization.news(),
      hardware: hardware.news(),
    }
    this.#writer.post({ $case: 'heartbeat', value })
  }

  /** Sends one after each interval, until it is stopped or gets another interval. */
  every(milliseconds: number): void {
    this.#cancel()
    this.#cancel = this.#clock.after(milliseconds, () => {
      void this.beat()
      this.every(milliseconds)
    })
  }

  stop(): void {
    this.#cancel()
  }
}
