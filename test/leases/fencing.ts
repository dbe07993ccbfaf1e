import type { ControlPlane } from './control-plane.ts'
import { losePower, type Parts } from './faults.ts'
import type { Fencing } from './fencings.ts'
import type { Machine } from './machine.ts'

/** How long one instance's claim on a node lasts, and how long each call of the command may take. */
const CLAIM_MS = 120_000
const LIMIT_MS = 30_000
const AGAIN_MS = 10_000

/** How one instance fences the nodes that have to be switched off: mode `stonith`. */
export class Fencer {
  readonly #parts: Parts
  readonly #controlPlane: ControlPlane
  readonly #instance: number

  constructor(parts: Parts, instance: number) {
    this.#parts = parts
    this.#controlPlane = parts.controlPlane
    this.#instance = instance
    this.#poll()
  }

  #poll(): void {
    this.#parts.world.after(1_000, () =>
      this.#whenRunning(() => {
        for (const { machine } of this.#parts.agents) {
          const claim = this.#parts.store.fencings.claim(machine.index, CLAIM_MS)
          if (claim) this.#try(machine, claim)
        }
        this.#poll()
      }),
    )
  }

  #whenRunning(happen: () => void): void {
    this.#controlPlane.whenRunning(this.#instance, happen)
  }

  #try(machine: Machine, claim: Fencing): void {
    if (claim.offWallMs !== null)
      this.#status(machine, (isOff) => {
        if (isOff) this.#end(machine, claim, true)
        else this.#off(machine, claim)
      })
    else this.#off(machine, claim)
  }

  /** Its controller may not answer, answer late, or report something false. */
  #off({ index }: Machine, claim: Fencing): void {
    const { world, store, agents } = this.#parts
    const { machine } = agents[index]!
    if (!store.fencings.isStillDue(index, claim)) return
    const isDone = world.nowMs >= machine.controllerFailsUntilMs && world.chance(0.8)
    if (isDone)
      world.after(world.between(0, world.chance(0.1) ? 90_000 : 5_000), () => this.#cut(machine))
    world.after(world.between(50, LIMIT_MS), () =>
      this.#whenRunning(() => {
        if (!isDone && world.chance(0.5)) this.#end(machine, claim, false)
        else if (!world.rules.verifiesOff) this.#end(machine, claim, true)
        else this.#verify(machine, claim, world.nowMs + LIMIT_MS)
      }),
    )
  }

  /** It stays off until somebody switches it on, or its controller does. */
  #cut(machine: Machine): void {
    if (machine.isUp) losePower(this.#parts, machine)
  }

  #verify(machine: Machine, claim: Fencing, untilMs: number): void {
    const { world } = this.#parts
    this.#status(machine, (isOff) => {
      if (isOff || world.nowMs >= untilMs) this.#end(machine, claim, isOff)
      else world.after(1_000, () => this.#verify(machine, claim, untilMs))
    })
  }

  /** The state that it had a moment before the answer arrives. */
  #status(machine: Machine, answered: (isOff: boolean) => void): void {
    const { world } = this.#parts
    world.after(world.between(10, 2_000), () => {
      const isOff = !machine.isUp || !world.rules.hasTruePower
      const lateMs = world.chance(0.3) ? world.between(1_000, 200_000) : world.between(10, 1_000)
      world.after(lateMs, () => this.#whenRunning(() => answered(isOff)))
    })
  }

  #end({ index }: Machine, claim: Fencing, isOff: boolean): void {
    this.#parts.store.fencings.end(index, claim, isOff, AGAIN_MS)
  }
}
