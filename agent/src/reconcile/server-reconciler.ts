import type { DriverEvent, Exit, RecoveredWorkload } from '@lodge/driver/driver.ts'
import type { Failover } from '@lodge/proto/server.ts'
import { backoffMs } from '@lodge/shared/backoff.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { ServerEvent } from '@lodge/shared/servers.ts'
import { Binding } from '../lease/binding.ts'
import { CurrentWork } from './current-work.ts'
import { probeReadiness } from './readiness/probe-readiness.ts'
import { ProofWatch } from './readiness/proof-watch.ts'
import { onRuntimeEvent, onStarted } from './runtime-events.ts'
import {
  type Act,
  decide,
  type EndCause,
  type Facts,
  type StartCause,
  type Work,
} from './state/decide.ts'
import { type DesiredState, desiredDocument, withOwnPower } from './state/desired-state.ts'
import type { EventDetails } from './state/event.ts'
import { type Memory, newMemory } from './state/memory.ts'
import { changeOwnPower, type PowerTask, replaceOwnPower } from './state/own-power.ts'
import type { ReconciledServer } from './state/reconciled-server.ts'
import { ServerRecord } from './state/server-record.ts'
import type { Surroundings } from './state/surroundings.ts'
import { EndWaiters } from './state/wait-for-end.ts'
import { applyLive } from './steps/apply.ts'
import { endWorkload } from './steps/end.ts'
import { install } from './steps/install.ts'
import { judgeEnd } from './steps/judge-end.ts'
import { removeServer } from './steps/remove.ts'
import { rest } from './steps/rest.ts'
import { startServer } from './steps/start.ts'

const RETRY_MS = 1_000
const AGAIN = { leastMs: 1_000, mostMs: 30_000 }
const NO_LEASE =
  'It may not boot yet: its node has no lease. It starts once the node is connected and its guard answers'

/**
 * Drives one server to its desired state. Each change of the desired state, the runtime or the time
 * wakes it; `decide` names the next step, and it does one piece of work at a time. Only `kill` does
 * not wait for the work under way: it interrupts it.
 */
export class ServerReconciler implements ReconciledServer {
  readonly serverId: string
  readonly around: Surroundings
  readonly ends = new EndWaiters()
  readonly memory: Memory
  desired: DesiredState | null = null
  /** The newest valid document, kept even when nothing is desired any more. */
  spec: WorkloadSpec | null = null
  /** The control plane has sent its full list, and this server is not on it. */
  disowned = false
  facts: Facts = { exists: false, running: false, ended: false }
  /** False after a reboot until the control plane has sent a desired state again. */
  confirmed = true
  retryAtMs: number | null = null
  retries = 0
  startCause: StartCause = 'asked'
  /** When the runtime was last told to start the workload. */
  startedMs = 0
  outOfMemoryMs = 0
  removedOutside = false
  bootWaitsFor = ''
  readonly #work: CurrentWork
  readonly #binding: Binding
  readonly #proof = new ProofWatch()
  readonly #record: ServerRecord
  #cancelTimer: () => void = () => undefined
  #ready = false
  #closed = false

  constructor(serverId: string, around: Surroundings, memory?: Memory) {
    this.serverId = serverId
    this.around = around
    this.memory = memory ?? newMemory(around.clock.nowMs())
    this.#work = new CurrentWork(serverId, around)
    this.#binding = new Binding(this)
    this.#record = new ServerRecord({ serverId, around, memory: this.memory, isSaved: !!memory })
  }

  get work(): Work | null {
    return this.#work.kind
  }

  /** It may run only under the lease of its node. */
  get isUnderLease(): boolean {
    return this.memory.failover.mode === 'auto'
  }

  /**
   * Replaces the facts with the runtime's state, at startup or after a reset. Only a stop may be
   * under way.
   */
  adopt(found: RecoveredWorkload | undefined): void {
    this.memory.booting = false
    const wasRunning = this.facts.running
    const running = found?.running ?? false
    const exit = found?.lastExit ?? null
    let ended = false
    if (!running && exit && exit.at.getTime() > (this.memory.lastExit?.atMs ?? 0)) {
      this.remember(exit)
      // An exit before the current phase belongs to an earlier run; clocks may differ by a second.
      ended = exit.at.getTime() >= this.memory.sinceMs - 1000
    }
    this.facts = { exists: found?.exists ?? false, running, ended }
    if (running && found?.startedAt) this.startedMs ||= found.startedAt.getTime()
    const meantToRun = this.memory.phase === 'running' || this.memory.phase === 'starting'
    if (!this.facts.exists && meantToRun) this.removedOutside = true
    if (!running && wasRunning) this.ends.tell()
    if (!running) this.endProof()
  }

  /** Compares the facts with the runtime's current state, in case an event was lost. */
  resync(found: RecoveredWorkload | undefined): void {
    if (!this.#ready) return
    const running = found?.running ?? false
    // A pending stop must learn of the exit; everything else waits for the work under way.
    if (this.work === 'end' && !running && this.facts.running) this.adopt(found)
    if (this.work) return
    this.memory.booting = false
    const exists = found?.exists ?? false
    if (running && !this.facts.running) {
      onStarted(this, found?.startedAt ?? new Date())
      return
    }
    if (running === this.facts.running && exists === this.facts.exists) return
    const vanished = this.facts.exists && !exists && this.facts.running
    this.adopt(found)
    this.removedOutside = vanished
    this.around.changed(this.serverId)
    this.wake()
  }

  /** Starts acting, once the runtime's inventory is known. */
  ready(): void {
    this.#ready = true
    if (this.facts.running) this.around.console(this.serverId).follow()
    if (this.facts.running && this.memory.phase === 'starting') void probeReadiness(this)
    this.wake()
  }

  /** Call it before `setDesired`: a guarded server starts otherwise. */
  setFailover(failover: Failover | undefined): void {
    this.#binding.setMode(failover)
  }

  /** Ignores desired states older than the newest. */
  setDesired(desired: DesiredState | null): void {
    this.confirmed = true
    this.disowned = desired === null
    if (desired && this.desired && desired.generation < this.desired.generation) {
      this.wake()
      return
    }
    const newer = desired?.generation !== this.desired?.generation
    if (newer) replaceOwnPower(this.memory, this.desired, desired)
    this.desired = desired && withOwnPower(desired, this.memory)
    if (desired) {
      this.memory.kind = desired.kind
      this.spec = desired.spec ?? this.spec
      // Of an adopted server: assume the newest installation rather than reinstall over its data.
      if (this.memory.installed < 0) this.memory.installed = desired.install
      if (!desired.removed) this.memory.gone = false
    }
    if (newer) {
      this.memory.failure = null
      this.retryAtMs = null
      this.retries = 0
      this.memory.desired = desired ? desiredDocument(desired) : null
      this.save()
      this.around.changed(this.serverId)
    }
    this.wake()
  }

  /**
   * Changes the power as a schedule wants it while the node is alone. It holds until the control
   * plane desires something newer.
   * @param journaled commits more together with it
   */
  changePower(action: PowerTask, journaled: () => void): void {
    const { desired, around } = this
    if (!desired) return
    around.journal.transaction(() => {
      journaled()
      changeOwnPower(this.memory, desired.generation, action)
      this.save()
    })
    this.desired = withOwnPower(desired, this.memory)
    this.memory.failure = null
    this.retryAtMs = null
    this.retries = 0
    around.changed(this.serverId)
    this.wake()
  }

  onEvent(event: Exclude<DriverEvent, { kind: 'reset' }>): void {
    onRuntimeEvent(this, event)
  }

  /**
   * Evaluates the situation and begins the next step, or interrupts work that is no longer desired.
   */
  wake(): void {
    if (!this.#ready || this.#closed) return
    if (this.work) {
      this.#work.interruptFor(this.desired)
      return
    }
    this.#binding.bind()
    this.#cancelTimer()
    if (this.#proof.timedOut && this.facts.running && this.memory.phase === 'starting') {
      this.end('kill', 'start_timeout')
      return
    }
    const nowMs = this.around.clock.nowMs()
    const act = decide({
      desired: this.desired,
      disowned: this.disowned,
      memory: this.memory,
      facts: this.facts,
      mayStart: this.confirmed,
      leaseOver: this.isUnderLease && this.around.leases.isOver,
      isGuarded: this.memory.guardedRevision > 0,
      retryAtMs: this.retryAtMs,
      nowMs,
    })
    this.#do(act, nowMs)
  }

  #do(act: Act, nowMs: number): void {
    this.#waitsFor(act.kind === 'await_lease' ? NO_LEASE : '')
    switch (act.kind) {
      case 'rest':
        rest(this)
        return
      case 'await_confirmation':
      case 'await_lease':
        return
      case 'wait':
        if (this.memory.phase === 'crashed') this.settle()
        this.#cancelTimer = this.around.clock.after(act.untilMs - nowMs, () => this.wake())
        return
      case 'install':
        this.#begin('install', (abort) => install(this, abort))
        return
      case 'start':
        this.#begin('start', (abort) => startServer(this, act.cause, abort))
        return
      case 'apply':
        this.#begin('apply', (abort) => applyLive(this, abort))
        return
      case 'end':
        this.end(act.how, act.why)
        return
      case 'remove':
        this.#begin('remove', () => removeServer(this))
        return
      case 'judge_end':
        this.#begin('judge_end', () => judgeEnd(this))
        return
    }
  }

  #waitsFor(why: string): void {
    if (this.bootWaitsFor === why) return
    this.bootWaitsFor = why
    this.around.changed(this.serverId)
  }

  /** Stops the workload; the next step is decided when it has ended. */
  end(how: 'graceful' | 'kill', why: EndCause | 'start_timeout'): void {
    this.#begin('end', (abort) => endWorkload(this, how, why, abort))
  }

  #begin(kind: Work, work: (abort: AbortSignal) => Promise<void>): void {
    this.#work.begin(kind, this.desired, work, {
      begun: () => {
        if (kind === 'end' || kind === 'remove') this.endProof()
        this.around.changed(this.serverId)
      },
      failed: () => this.retryLater(),
      over: (failed) => {
        if (this.#closed) return
        this.save()
        this.around.changed(this.serverId)
        // After an unexpected failure, pause before the next attempt.
        if (failed) this.#cancelTimer = this.around.clock.after(RETRY_MS, () => this.wake())
        else this.wake()
      },
    })
  }

  settle(): void {
    if (this.desired && this.memory.settled < this.desired.generation) {
      this.memory.settled = this.desired.generation
      this.around.changed(this.serverId)
    }
    this.save()
  }

  phase(phase: Memory['phase'], sinceMs = this.around.clock.nowMs()): void {
    this.memory.phase = phase
    this.memory.sinceMs = sinceMs
    if (phase !== 'crashed') this.memory.restartAtMs = null
  }

  probe(earlierLines: readonly string[], started: Promise<void>): void {
    const spec = this.desired?.spec
    if (!spec || !this.facts.running) return
    const watched = {
      spec,
      started,
      clock: this.around.clock,
      earlierLines,
      listen: this.around.driver.console
        ? (listener: (chunk: Uint8Array) => void) =>
            this.around.console(this.serverId).listen(listener)
        : null,
    }
    this.#proof.begin(watched, () => {
      if (this.#proof.timedOut) this.wake()
      else this.#alive()
    })
  }

  notStarted(): void {
    this.endProof()
    this.facts = { ...this.facts, running: false }
    this.ends.tell()
  }

  #alive(): void {
    if (!this.facts.running) return
    this.phase('running')
    this.memory.failure = null
    const again = this.startCause === 'crash_restart'
    this.report(again ? 'restarted' : 'started', {
      reason: again ? 'Restarted after it had ended by itself' : 'The server is up',
    })
    this.around.changed(this.serverId)
    this.wake()
  }

  remember(exit: Exit): void {
    const { at, ...how } = exit
    this.memory.lastExit = { ...how, atMs: at.getTime() }
  }

  endProof(): void {
    this.#proof.end()
  }

  retryLater(): void {
    const delayMs = backoffMs(this.retries, AGAIN)
    this.retries += 1
    this.retryAtMs = this.around.clock.nowMs() + delayMs
  }

  /** Runs a scheduled retry at once. */
  retryNow(): void {
    if (this.retryAtMs === null) return
    this.retryAtMs = this.around.clock.nowMs()
    this.wake()
  }

  report(kind: ServerEvent['kind'], details: EventDetails): void {
    this.#record.report(kind, details)
  }

  save(): boolean {
    return this.#record.save()
  }

  /** Stops acting without touching the workload. */
  close(): void {
    this.#closed = true
    this.#cancelTimer()
    this.endProof()
    this.#work.abort()
  }
}
