import type { Heartbeat } from '@lodge/proto/fleet.ts'
import { type Heard, leaseIn } from '@lodge/shared/leases/acknowledgement.ts'

export interface HeartbeatHooks {
  /** Records one; only the database decides whose session this is. */
  record(beat: Heartbeat): Promise<Heard>
  /** @param lease what it grants; undefined: nothing */
  acknowledge(sequence: number, lease: ReturnType<typeof leaseIn>): void
  isEnded(): boolean
  /** Another session of the node has taken over. */
  superseded(): void
  failed(error: unknown): void
}

/** Records the heartbeats of one stream one after the other, the newest first where they queue. */
export class Heartbeats {
  readonly #hooks: HeartbeatHooks
  /** The next to record. */
  #beat: Heartbeat | undefined
  /** Handed over in vain; its news comes with the next one. */
  #untaken: Heartbeat | undefined
  #last: Heartbeat | undefined
  #recording: Promise<void> | undefined

  constructor(hooks: HeartbeatHooks) {
    this.#hooks = hooks
  }

  heard(beat: Heartbeat): void {
    // Agents send news once per session, so what an earlier beat told must not be lost with it.
    this.#beat = withNewsOf(this.#beat ?? this.#untaken, beat)
    this.#last = this.#beat
    this.#recording ??= this.#record()
  }

  /** Records the last one again, which tells whether this session is still current. */
  verify(): void {
    if (!this.#last) return
    this.#beat ??= this.#last
    this.#recording ??= this.#record()
  }

  /** Resolves once none is being recorded. */
  async settled(): Promise<void> {
    await this.#recording
  }

  async #record(): Promise<void> {
    const hooks = this.#hooks
    try {
      while (this.#beat && !hooks.isEnded()) {
        const beat = this.#beat
        this.#beat = undefined
        this.#untaken = undefined
        const heard = await hooks.record(beat)
        // A fenced session must stop acting.
        if (heard.kind === 'superseded') return hooks.superseded()
        if (heard.kind === 'later') {
          if (this.#beat) this.#beat = withNewsOf(beat, this.#beat)
          else this.#untaken = beat
        }
        hooks.acknowledge(beat.sequence, leaseIn(heard, beat.leaseWanted ?? false))
      }
    } catch (error) {
      hooks.failed(error)
    } finally {
      this.#recording = undefined
    }
  }
}

/** The later of two heartbeats, with the news of the earlier where it has none of its own. */
const withNewsOf = (earlier: Heartbeat | undefined, beat: Heartbeat): Heartbeat => ({
  ...beat,
  preflight: beat.preflight.length > 0 ? beat.preflight : (earlier?.preflight ?? []),
  virtualization: beat.virtualization || earlier?.virtualization,
  hardware: beat.hardware || earlier?.hardware,
  transfers: beat.transfers || earlier?.transfers,
})
