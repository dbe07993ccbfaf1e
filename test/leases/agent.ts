import {
  asking,
  mayAsk,
  type NodeLease,
  noLease,
  rejoined,
  welcomed,
} from '@lodge/shared/leases/node-lease.ts'
import { Boots } from './boots.ts'
import type { ControlPlane, DesiredServer, ToAgent } from './control-plane.ts'
import { type Machine, type Program, works } from './machine.ts'
import type { World } from './world.ts'

/** What survives the agent and a reboot. */
interface Journal {
  epoch: number
  observation: number
  readonly released: Map<number, number>
  readonly bound: Map<number, { revision: number; mode: 'pinned' | 'auto' }>
}

const SILENT_MS = 20_000

/** The agent of one node: the real lease, and a model of what the real agent does about it. */
export class Agent {
  readonly program: Program = { alive: true, hungUntilMs: 0 }
  readonly journal: Journal = { epoch: 1, observation: 0, released: new Map(), bound: new Map() }
  readonly machine: Machine
  readonly controlPlane: ControlPlane
  lease: NodeLease
  sessionId = 0
  /** The control plane's latest desired states; kept while it is away. */
  desired = new Map<number, DesiredServer>()
  /** Incremented by each start of the agent. */
  life = 0
  readonly boots: Boots
  /** Servers whose mode is permanently in force. */
  readonly #confirmed = new Set<number>()
  readonly #world: World
  #sequence = 0
  #newestDesired = 0
  #heardMs = 0

  constructor(machine: Machine, controlPlane: ControlPlane) {
    this.#world = machine.world
    this.machine = machine
    this.controlPlane = controlPlane
    this.lease = noLease(1)
    this.boots = new Boots(this)
    this.begin()
  }

  get works(): boolean {
    return this.machine.isUp && works(this.#world, this.program)
  }

  /** Until the control plane has sent desired states again, nothing may run. */
  rebooted(): void {
    this.desired = new Map()
  }

  died(): void {
    this.program.alive = false
    this.life += 1
    this.sessionId = 0
  }

  /** Called after its start; the guard has kept its state, unless the machine was off. */
  begin(): void {
    this.program.alive = true
    this.program.hungUntilMs = 0
    this.lease = { ...noLease(this.journal.epoch), deadlineMs: this.machine.deadlineMs }
    this.#every(
      () => this.#world.between(4_500, 5_500),
      () => this.#beat(),
    )
    this.#every(
      () => 2_000,
      () => this.boots.reconcile(),
    )
    this.#every(
      () => 3_000,
      () => this.#prove(),
    )
    this.#every(
      () => 7_000,
      () => this.#confirmRest(),
    )
    this.#connect()
  }

  #every(intervalMs: () => number, act: () => void): void {
    const { life } = this
    const again = () => {
      if (this.life !== life || !this.machine.isUp) return
      if (this.works) act()
      this.#world.after(intervalMs(), again)
    }
    this.#world.after(this.#world.between(0, intervalMs()), again)
  }

  /** Does something once the agent no longer hangs, if it is still the same process. */
  whenAwake(happen: () => void): void {
    const { life } = this
    const { hungUntilMs } = this.program
    const { nowMs } = this.#world
    if (this.life !== life || !this.machine.isUp || !this.program.alive) return
    if (nowMs < hungUntilMs)
      this.#world.after(hungUntilMs - nowMs, () => {
        if (this.life === life) this.whenAwake(happen)
      })
    else happen()
  }

  #connect(): void {
    this.sessionId = 0
    this.#heardMs = this.#world.nowMs
    this.controlPlane.hello(this)
  }

  #beat(): void {
    const { lease, machine } = this
    if (this.#world.nowMs - this.#heardMs > SILENT_MS) this.#connect()
    if (this.sessionId === 0) return
    const now = machine.uptimeMs()
    const { guardSilentMs } = this.#world.rules.times
    const heardMs = works(this.#world, machine.guard) || !this.#world.rules.hasGuard ? now : null
    const wanted = mayAsk(lease, heardMs, now, guardSilentMs)
    this.#sequence += 1
    if (wanted) this.lease = asking(lease, this.#sequence, now)
    this.controlPlane.heartbeat(this, this.sessionId, this.#sequence, wanted)
  }

  #prove(): void {
    if (!this.lease.fenced || this.sessionId === 0) return
    if (this.machine.guarded().length > 0) this.machine.killGuarded()
    else this.controlPlane.proof(this, this.sessionId, this.lease.epoch)
  }

  hear(message: ToAgent): void {
    const now = this.machine.uptimeMs()
    if (message.kind === 'welcome') {
      this.sessionId = message.sessionId
      this.#newestDesired = 0
      this.#setLease(welcomed(this.lease, message, now))
      this.journal.epoch = message.epoch
      if (message.fenced) this.machine.killGuarded()
    } else if (message.sessionId !== this.sessionId) return
    this.#heardMs = this.#world.nowMs
    switch (message.kind) {
      case 'ended':
        this.#connect()
        break
      case 'acknowledged':
        this.#setLease(this.#world.rules.granted(this.lease, message, now))
        break
      case 'rejoined':
        this.#setLease(rejoined(this.lease, message.epoch))
        break
      case 'desired':
        this.#desired(message.number, message.servers)
    }
  }

  #setLease(lease: NodeLease): void {
    this.lease = lease
    this.machine.deadlineMs = lease.deadlineMs
  }

  #desired(number: number, servers: readonly DesiredServer[]): void {
    if (number <= this.#newestDesired) return
    this.#newestDesired = number
    this.desired = new Map(servers.map((one) => [one.server, one]))
    for (const server of this.machine.guests.keys())
      if (!this.desired.get(server)?.on) this.boots.stop(server)
    for (const one of servers) this.#bind(one)
    this.boots.reconcile()
  }

  /** Puts the mode of a server in force. */
  #bind(desired: DesiredServer): void {
    const { server, mode, revision } = desired
    const bound = this.journal.bound.get(server)
    if (bound && revision < bound.revision) return
    if (bound?.revision !== revision) {
      this.journal.bound.set(server, { revision, mode })
      this.#confirmed.delete(server)
      const guest = this.machine.guests.get(server)
      if (guest) guest.guarded = mode === 'auto'
    }
    this.#confirm(desired)
  }

  #confirm({ server }: DesiredServer): void {
    const { guests } = this.machine
    const bound = this.journal.bound.get(server)
    if (!bound) return
    const now = this.machine.uptimeMs()
    if (this.#world.rules.mayConfirm(this.lease, guests.has(server), now))
      this.#confirmed.add(server)
    const isConfirmed = bound.mode === 'auto' && this.#confirmed.has(server)
    this.journal.observation += 1
    this.controlPlane.observation(this, server, {
      observation: this.journal.observation,
      guarded: isConfirmed ? bound.revision : 0,
    })
  }

  #confirmRest(): void {
    if (this.sessionId === 0) return
    for (const one of this.desired.values())
      if (!this.#confirmed.has(one.server)) this.#confirm(one)
  }
}
