import type { Clock } from '../clock.ts'
import type { NodeTransfers } from '../direct/node-transfers.ts'
import type { Leases } from '../lease/leases.ts'
import type { Monitors } from '../monitors.ts'
import type { Writer } from './writer.ts'

/** Tells the control plane regularly that the node is there, with the news of its monitors. */
export class Heartbeat {
  readonly #monitors: Monitors
  readonly #writer: Writer
  readonly #clock: Clock
  readonly #leases: Leases
  readonly #transfers: NodeTransfers
  #beats = 0
  #cancel = () => {}

  constructor(given: {
    monitors: Monitors
    writer: Writer
    clock: Clock
    leases: Leases
    transfers: NodeTransfers
  }) {
    this.#monitors = given.monitors
    this.#writer = given.writer
    this.#clock = given.clock
    this.#leases = given.leases
    this.#transfers = given.transfers
  }

  /** Sends one now. */
  async beat(): Promise<void> {
    const { preflight, virtualization, hardware } = this.#monitors
    const answers = await this.#monitors.health()
    // News is told once per session, and Hello tells all of it: do not spend it on a closed stream.
    if (!this.#writer.isOpen) return
    const sequence = ++this.#beats
    const value = {
      sequence,
      drivers: answers,
      preflight: preflight.news(),
      virtualization: virtualization.news(),
      hardware: hardware.news(),
      transfers: this.#transfers.news(),
      ...this.#leases.asks(sequence),
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
