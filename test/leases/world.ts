import { EventQueue } from './queue.ts'
import { seededRandom } from './random.ts'
import type { Rules } from './rules.ts'

/** True time, chance and the network between the nodes and the control plane. */
export class World {
  readonly rules: Rules
  readonly seed: number
  nowMs = 0
  /** Disables every fault except those that a test requests. */
  readonly calm: boolean
  readonly #random: () => number
  readonly #queue = new EventQueue()
  readonly #cutUntilMs = new Map<string, number>()
  readonly #slowUntilMs = new Map<string, number>()

  constructor(seed: number, rules: Rules, calm = false) {
    this.seed = seed
    this.rules = rules
    this.calm = calm
    this.#random = seededRandom(seed)
  }

  chance(probability: number): boolean {
    return this.#random() < probability
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.#random()
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!
  }

  after(delayMs: number, happen: () => void): void {
    this.#queue.push(this.nowMs + Math.max(0, delayMs), happen)
  }

  run(untilMs: number): void {
    for (let event = this.#queue.pop(); event; event = this.#queue.pop()) {
      if (event.atMs > untilMs) return
      this.nowMs = event.atMs
      event.happen()
    }
  }

  /** Cuts one direction of a node's network. */
  cut(direction: 'out' | 'in', node: number, forMs: number): void {
    this.#cutUntilMs.set(`${direction}${node}`, this.nowMs + forMs)
  }

  /** Delays everything in one direction of a node's network. */
  slow(direction: 'out' | 'in', node: number, forMs: number): void {
    this.#slowUntilMs.set(`${direction}${node}`, this.nowMs + forMs)
  }

  /** Delivers a message, or not: it may be lost, delayed, duplicated, or cut off. */
  send(direction: 'out' | 'in', node: number, deliver: () => void): void {
    if (this.calm) {
      this.after(this.between(1, 50), deliver)
      return
    }
    const isCut = () => this.nowMs < (this.#cutUntilMs.get(`${direction}${node}`) ?? 0)
    if (isCut() || this.chance(0.01)) return
    let delayMs = this.between(1, 50)
    if (this.chance(0.03)) delayMs = this.between(50, 20_000)
    if (this.nowMs < (this.#slowUntilMs.get(`${direction}${node}`) ?? 0))
      delayMs += this.between(5_000, 20_000)
    if (this.chance(0.002)) delayMs = this.between(20_000, 90_000)
    this.after(delayMs, () => {
      if (!isCut() || this.chance(0.1)) deliver()
    })
    if (this.chance(0.01)) this.after(delayMs + this.between(1, 30_000), deliver)
  }
}
