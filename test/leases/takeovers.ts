import { lookAtOffice, type OfficeSight } from '@lodge/shared/leases/coordinator.ts'
import { look, type Sight } from '@lodge/shared/leases/observe.ts'
import { type GrantingSight, lookAtGranting } from '@lodge/shared/leases/outstanding.ts'
import { takeoverDelayMs } from '@lodge/shared/leases/times.ts'
import type { ControlPlane } from './control-plane.ts'
import { type ServerRow, type Store, ttlOf } from './store.ts'
import type { World } from './world.ts'

/** One instance as the coordinator, or as a candidate. */
export class Coordinator {
  readonly #world: World
  readonly #store: Store
  readonly #controlPlane: ControlPlane
  readonly #instance: number
  #rate = 1
  #sights: Sight[] = []
  #grantings: GrantingSight[] = []
  #office: OfficeSight | undefined
  #life = 0

  constructor(world: World, store: Store, controlPlane: ControlPlane, instance: number) {
    this.#world = world
    this.#store = store
    this.#controlPlane = controlPlane
    this.#instance = instance
    this.restart()
  }

  restart(): void {
    const { clockRateError } = this.#world.rules.times
    this.#rate = 1 + this.#world.between(-clockRateError, clockRateError)
    this.#forget()
    this.#office = undefined
    this.#life += 1
    this.#poll(this.#life)
  }

  #poll(life: number): void {
    this.#world.after(1_000, () =>
      this.#controlPlane.whenRunning(this.#instance, () => {
        if (this.#life !== life) return
        if (this.#holdsOffice()) this.#watch()
        else this.#forget()
        this.#poll(life)
      }),
    )
  }

  #holdsOffice(): boolean {
    const { office } = this.#store
    const id = String(this.#instance)
    this.#office = lookAtOffice(this.#office, office, this.#nowMs())
    const { officeStep, times } = this.#world.rules
    const step = officeStep(id, office, this.#office, this.#nowMs(), times)
    if (step === 'wait') return false
    if (step === 'take') {
      office.holderId = id
      office.term += 1
      this.#forget()
    }
    office.renewSeq += 1
    return true
  }

  /** Observations belong to a term, so they are forgotten with it. */
  #forget(): void {
    this.#sights = []
    this.#grantings = []
  }

  #nowMs(): number {
    return this.#world.nowMs * this.#rate
  }

  #watch(): void {
    const { rules } = this.#world
    const { nodes } = this.#store
    const nowMs = this.#nowMs()
    this.#sights = nodes.map((row, node) => look(this.#sights[node], row, nowMs))
    this.#lookAtTtls(nowMs)
    const silent = nodes.flatMap((_, node) => (this.#isDue(node, nowMs) ? [node] : []))
    const leased = silent.filter((node) => !nodes[node]!.fenced && this.#has(node, 'auto'))
    const { fencings } = this.#store
    const waiting = silent.filter((node) => this.#has(node, 'stonith'))
    const unasked = waiting.filter((node) => !fencings.of(node))
    const due = new Set([...leased, ...unasked.filter((node) => !nodes[node]!.fenced)])
    const heard = nodes.filter((_, node) => this.#isHeard(node))
    const since = this.#world.nowMs - rules.times.limitWindowMs
    const recent = this.#store.takeovers.filter((atMs) => atMs > since).length
    // In half of the runs an operator approves every takeover.
    const isBounded = this.#world.seed % 2 === 0
    const fleet = { nodes: nodes.length, heard: heard.length, due: due.size, recent }
    if (!isBounded || !rules.isTooMuch(fleet)) {
      for (const node of unasked) fencings.ask(node, this.#sights[node]!.renewSeq)
      for (const node of leased) this.#takeOver(node)
    }
    for (const node of waiting) this.#takeOverIfOff(node)
    if (rules.isLevelTriggered) this.recover()
  }

  #lookAtTtls(nowMs: number): void {
    const { rules } = this.#world
    const { nodes } = this.#store
    this.#grantings = nodes.map((row, node) =>
      lookAtGranting(this.#grantings[node], { ...row, ttlMs: ttlOf(row) }, nowMs),
    )
    for (const [node, sight] of this.#grantings.entries())
      if (rules.areLongerOver(sight, nowMs, rules.times)) this.#store.forgetLonger(node, sight)
  }

  #has(node: number, mode: ServerRow['mode']): boolean {
    return this.#store.servers.some((row) => row.node === node && row.mode === mode)
  }

  /** Takes over a node that was just seen to be off; if that was long ago, has it checked again. */
  #takeOverIfOff(node: number): void {
    const { fencings, nodes } = this.#store
    if (!fencings.isOff(node) || nodes[node]!.fenced) return
    if (fencings.isFresh(node)) this.#takeOver(node)
    else fencings.lookAgain(node)
  }

  #isHeard(node: number): boolean {
    const sight = this.#sights[node]
    const { suspectMs } = this.#world.rules.times
    return sight !== undefined && this.#nowMs() - sight.sinceMs < suspectMs
  }

  #isDue(node: number, nowMs: number): boolean {
    const { rules } = this.#world
    const row = this.#store.nodes[node]!
    if (rules.usesWallClock) {
      const nowWallMs = this.#world.nowMs + this.#store.wallOffsetMs
      return nowWallMs - row.renewedWallMs >= takeoverDelayMs(rules.times, row.longestTtlMs)
    }
    return rules.takeoverInMs(this.#sights[node]!, row, nowMs, rules.times) <= 0
  }

  /** Between the decision and its statement anything may happen, including a pause. */
  #takeOver(node: number): void {
    const { epoch, renewSeq } = this.#sights[node]!
    const world = this.#world
    // A full connection pool, or a process that was stopped at this point.
    const isLate = !world.calm && world.chance(0.2)
    world.after(isLate ? world.between(1_000, 60_000) : world.between(1, 50), () =>
      this.#controlPlane.whenRunning(this.#instance, () =>
        this.#store.whenFree(node, () => {
          if (this.#store.fence(node, { epoch, renewSeq })) this.recover()
        }),
      ),
    )
  }

  /** Brings servers of certainly dead fenced nodes back elsewhere. */
  recover(): void {
    for (const [server, row] of this.#store.servers.entries()) {
      const { fenced } = this.#store.nodes[row.node]!
      const isOff = this.#store.fencings.isOff(row.node)
      if (fenced && !row.held && this.#world.rules.isSurelyDead(row, isOff)) this.bringBack(server)
    }
  }

  /** It must stay off until it is elsewhere. */
  bringBack(server: number): void {
    const world = this.#world
    const row = this.#store.servers[server]!
    const { node, placement } = row
    const targets = this.#store.nodes.flatMap(({ fenced }, at) =>
      at !== node && !fenced && this.#isHeard(at) ? [at] : [],
    )
    if (targets.length === 0) return
    row.held = true
    // The disks of some are elsewhere already, so they start immediately.
    const restoreMs = world.calm || world.chance(0.6) ? 0 : world.between(0, 20_000)
    world.after(restoreMs, () => {
      if (row.node !== node || row.placement !== placement) return
      if (world.chance(world.calm ? 0 : 0.05)) row.held = false
      else this.#store.swap(server, world.pick(targets))
      this.#controlPlane.announce(node)
      this.#controlPlane.announce(row.node)
    })
  }
}
