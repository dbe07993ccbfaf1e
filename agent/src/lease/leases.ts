import type { Trace } from '@lodge/driver/trace.ts'
import type { Heartbeat, HeartbeatAck, Welcome } from '@lodge/proto/fleet.ts'
import {
  type BootQuestion,
  type BootReply,
  type NoBoot,
  whyNoBoot,
} from '@lodge/shared/leases/boot.ts'
import {
  asking,
  granted,
  leftMs,
  mayAsk,
  mayConfirm,
  mustKill,
  type NodeLease,
  noLease,
  rejoined,
  welcomed,
} from '@lodge/shared/leases/node-lease.ts'
import { LEASE_TIMES, type LeaseTimes } from '@lodge/shared/leases/times.ts'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { durationMs } from '../duration.ts'
import { bootMs } from '../guard/boot-clock.ts'
import type { Guard } from '../guard/keeper.ts'
import { reasonOf } from '../reason-of.ts'

export interface LeasesOptions {
  /** Without one the node asks for no lease, and nothing on it is guarded. */
  readonly guard: Guard | undefined
  readonly epoch: number
  readonly times: LeaseTimes | undefined
  readonly clock: Clock
  readonly log: Logger
  /** What guarded servers may do has changed. */
  readonly changed: () => void
  /** Servers that the runtime was told to boot and has not yet reported as running or failed. */
  readonly booting: () => readonly string[]
  /** Tells the control plane which guarded servers still run on a node that was taken over. */
  readonly prove: (proof: { nodeEpoch: number; running: string[] }) => void
}

const PROVE_EVERY_MS = 1_000
/** The runtime and the guard may notice the same end this far apart. */
const SAME_END_MS = 10_000

/** The lease of this node: asked for with heartbeats, kept by the guard, and needed by guarded servers. */
export class Leases {
  readonly #options: LeasesOptions
  readonly #times: LeaseTimes
  #lease: NodeLease
  #cancelTimer: () => void = () => {}
  #cancelProof: () => void = () => {}

  constructor(options: LeasesOptions) {
    this.#options = options
    this.#times = options.times ?? LEASE_TIMES
    // An agent that was restarted goes on under the lease that its guard knows.
    this.#lease = { ...noLease(options.epoch), deadlineMs: options.guard?.deadlineMs ?? null }
    this.#awaitEnd()
  }

  /** Whether this node can hold leases now: its guard answers. */
  get isGuarded(): boolean {
    const { guard } = this.#options
    const heardMs = guard?.heardMs ?? null
    return heardMs !== null && bootMs() - heardMs < this.#times.guardSilentMs
  }

  /** Whether the guard of this node has ever answered. It is asked for no lease while it is silent. */
  get hasGuard(): boolean {
    return typeof this.#options.guard?.heardMs === 'number'
  }

  /** Nothing guarded may run now. */
  get isOver(): boolean {
    return mustKill(this.#lease.deadlineMs, bootMs())
  }

  get epoch(): number {
    return this.#lease.epoch
  }

  /** A session begins. Whatever is guarded on a node that was taken over ends before anything else. */
  welcomed({ nodeEpoch: epoch, fenced }: Welcome): void {
    this.#lease = welcomed(this.#lease, { epoch, fenced }, bootMs())
    this.#cancelProof()
    if (fenced) void this.#prove(epoch)
    this.#options.changed()
  }

  lost(): void {
    this.#cancelProof()
  }

  /** Call it directly before the heartbeat is sent: the lease counts from here. */
  asks(sequence: number): Pick<Heartbeat, 'leaseWanted'> {
    const { guard } = this.#options
    const nowMs = bootMs()
    const leaseWanted = mayAsk(
      this.#lease,
      guard?.heardMs ?? null,
      nowMs,
      this.#times.guardSilentMs,
    )
    if (leaseWanted) this.#lease = asking(this.#lease, sequence, nowMs)
    return { leaseWanted }
  }

  acknowledged({ sequence, nodeEpoch: epoch, leaseTtl }: HeartbeatAck): void {
    const before = this.#lease.deadlineMs
    const ttlMs = leaseTtl && durationMs(leaseTtl, 0)
    this.#lease = granted(this.#lease, { sequence, epoch, ttlMs })
    const { deadlineMs } = this.#lease
    if (deadlineMs === null || deadlineMs === before) return
    this.#options.guard?.renew(deadlineMs).catch((error: unknown) => {
      // It ends what it guards too early, rather than too late.
      this.#options.log.warn({ why: reasonOf(error) }, 'the guard was not told of a lease')
    })
    this.#awaitEnd()
    this.#options.changed()
  }

  rejoined(epoch: number): void {
    this.#lease = rejoined(this.#lease, epoch)
    this.#cancelProof()
    this.#options.changed()
  }

  /** Whether it may be promised at this moment that a server is dead when the lease has ended. */
  mayConfirm(isRunning: boolean): boolean {
    return mayConfirm(this.#lease, isRunning, bootMs())
  }

  /** Why a guarded server may not boot at this moment; undefined if it may. */
  whyNoBoot(question: BootQuestion, reply: BootReply, releasedThrough: number): NoBoot | undefined {
    const lease = this.#lease
    return whyNoBoot({ lease, question, reply, releasedThrough }, bootMs(), this.#times)
  }

  /** @throws Error when the guard has not confirmed it */
  async guard(serverId: string, traces: readonly Trace[]): Promise<void> {
    const { guard } = this.#options
    if (!guard) throw new Error('This node has no guard.')
    await guard.guard(serverId, traces)
  }

  /** @throws Error when the guard has not confirmed it */
  async release(serverId: string): Promise<void> {
    await this.#options.guard?.release(serverId)
  }

  /** Whether a server that exited then, by the wall clock, was ended because the lease had ended. */
  async hasEnded(serverId: string, exitMs: number): Promise<boolean> {
    if (this.isOver) return true
    const endings = (await this.#options.guard?.endingsMs(serverId)) ?? []
    return endings.some((endedMs) => Math.abs(endedMs - exitMs) < SAME_END_MS)
  }

  close(): void {
    this.#cancelTimer()
    this.#cancelProof()
  }

  /** Ends everything guarded, and tells the control plane when the machine itself has nothing of it. */
  async #prove(epoch: number): Promise<void> {
    let wanted = true
    this.#cancelProof = () => {
      wanted = false
    }
    for (let reported = ''; wanted; ) {
      const left = (await this.#options.guard?.fence()) ?? []
      // Of those that a runtime was told to boot, processes may be about to appear.
      const running = [...new Set([...left, ...this.#options.booting()])].sort()
      if (!wanted) return
      if (running.join() !== reported || running.length === 0)
        this.#options.prove({ nodeEpoch: epoch, running })
      // One that arrives while another is judged is dropped, so it is told until it is accepted.
      reported = running.join()
      await new Promise<void>((resolve) => {
        this.#options.clock.after(PROVE_EVERY_MS, resolve)
      })
    }
  }

  #awaitEnd(): void {
    this.#cancelTimer()
    const left = leftMs(this.#lease, bootMs())
    if (left > 0)
      this.#cancelTimer = this.#options.clock.after(left + 1, () => {
        if (!this.isOver) return this.#awaitEnd()
        this.#options.changed()
      })
  }
}
