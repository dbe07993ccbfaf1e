import { mustKill } from '@lodge/shared/leases/node-lease.ts'
import type { Agent } from './agent.ts'
import type { World } from './world.ts'

interface Guest {
  readonly placement: number
  /** Whether it is in the guard's cgroup. */
  guarded: boolean
}

/** A part of a machine, with the faults that it can have. */
export interface Program {
  alive: boolean
  hungUntilMs: number
}

export const works = (world: World, { alive, hungUntilMs }: Program): boolean =>
  alive && world.nowMs >= hungUntilMs

/** A node's machine: its clock, what runs on it, and the guard. */
export class Machine {
  readonly world: World
  readonly index: number
  readonly guests = new Map<number, Guest>()
  readonly guard: Program = { alive: true, hungUntilMs: 0 }
  isUp = true
  /** Until then its controller cannot switch it off, though the state can be read. */
  controllerFailsUntilMs = 0
  /** Incremented by each boot. */
  boot = 0
  /** The agent's deadline for the guard; lost on a reboot. */
  deadlineMs: number | null = null
  agent!: Agent
  readonly #started: (server: number) => void
  readonly #rate: number
  #bootedAtMs = 0

  constructor(world: World, index: number, started: (server: number) => void) {
    this.world = world
    this.index = index
    this.#started = started
    const { clockRateError } = world.rules.times
    this.#rate = 1 + world.between(-clockRateError, clockRateError)
    this.#watch()
  }

  /** Milliseconds since boot, by the machine's own clock. */
  uptimeMs(): number {
    return (this.world.nowMs - this.#bootedAtMs) * this.#rate
  }

  start(server: number, guest: Guest): void {
    if (this.guests.has(server)) return
    this.guests.set(server, guest)
    this.#started(server)
  }

  guarded(): number[] {
    return [...this.guests].flatMap(([server, { guarded }]) => (guarded ? [server] : []))
  }

  killGuarded(): void {
    for (const server of this.guarded()) {
      const guest = this.guests.get(server)
      this.world.after(this.world.between(0, this.world.rules.times.killMs), () => {
        if (this.guests.get(server) === guest) this.guests.delete(server)
      })
    }
  }

  /** Runs the guard's watch of the deadline, and the agent's own copy of it, each while it works. */
  #watch(): void {
    const { boot, world } = this
    const { hasGuard } = world.rules
    const leftMs = this.deadlineMs === null ? 0 : this.deadlineMs / this.#rate - this.#sinceBootMs()
    const leastMs = this.guests.size > 0 ? 250 : 1_000
    world.after(Math.max(leastMs, leftMs + world.between(0, 250)), () => {
      if (!this.isUp || this.boot !== boot) return
      const isWatched = (hasGuard && works(world, this.guard)) || works(world, this.agent.program)
      if (isWatched && mustKill(this.deadlineMs, this.uptimeMs())) this.killGuarded()
      this.#watch()
    })
  }

  #sinceBootMs(): number {
    return this.world.nowMs - this.#bootedAtMs
  }

  crash(): void {
    this.isUp = false
    this.boot += 1
    this.guests.clear()
    this.deadlineMs = null
    this.agent.died()
    this.agent.rebooted()
  }

  reboot(): void {
    const { nowMs } = this.world
    this.isUp = true
    this.#bootedAtMs = nowMs
    this.guard.alive = true
    this.guard.hungUntilMs = 0
    this.#watch()
    this.agent.begin()
  }
}
