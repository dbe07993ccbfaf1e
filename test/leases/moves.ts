import type { Agent } from './agent.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Store } from './store.ts'
import type { World } from './world.ts'

/** Planned moves: the source stops the server and releases its placement, then the target gets it. */
export class Moves {
  readonly #world: World
  readonly #store: Store
  readonly #agents: readonly Agent[]
  readonly #controlPlane: ControlPlane

  constructor(world: World, store: Store, agents: readonly Agent[], controlPlane: ControlPlane) {
    this.#world = world
    this.#store = store
    this.#agents = agents
    this.#controlPlane = controlPlane
  }

  begin(): void {
    const world = this.#world
    world.after(world.between(15_000, 60_000), () => this.begin())
    const server = Math.floor(world.between(0, this.#store.servers.length))
    const row = this.#store.servers[server]!
    const others = this.#agents.filter(({ machine }) => machine.index !== row.node)
    const target = world.pick(others).machine.index
    const isUsable = [row.node, target].every((node) => !this.#store.nodes[node]!.fenced)
    if (row.held || !isUsable) return
    row.held = true
    this.#ask(server, target, 20)
    this.#lateStarts(server)
  }

  /** Repeats the request until the source has released the server, or was taken over. */
  #ask(server: number, target: number, tries: number): void {
    const row = this.#store.servers[server]!
    const { node: source, placement } = row
    const agent = this.#agents[source]!
    let isOver = false
    const ask = (left: number) => {
      if (isOver) return
      if (this.#store.nodes[source]!.fenced || left === 0) {
        isOver = true
        row.held = false
        this.#controlPlane.announce(source)
        return
      }
      this.#world.send('in', source, () =>
        agent.whenAwake(() =>
          this.#release(agent, server, placement, () => {
            if (isOver) return
            isOver = true
            this.#store.swap(server, target)
            this.#controlPlane.announce(source)
            this.#controlPlane.announce(target)
          }),
        ),
      )
      this.#world.after(4_000, () => ask(left - 1))
    }
    ask(tries)
  }

  #release(agent: Agent, server: number, placement: number, released: () => void): void {
    const { journal, machine } = agent
    const before = journal.released.get(server) ?? 0
    journal.released.set(server, Math.max(before, placement))
    const { life } = agent
    this.#world.after(this.#world.between(10, 3_000), () => {
      if (agent.life === life) machine.guests.delete(server)
      if (!machine.guests.has(server)) this.#world.send('out', machine.index, released)
    })
  }

  /** Start commands that were in flight while the server moved. */
  #lateStarts(server: number): void {
    const world = this.#world
    const { node, placement } = this.#store.servers[server]!
    const agent = this.#agents[node]!
    const { sessionId } = agent
    for (let late = 0; late < 2; late++)
      world.after(world.between(0, 60_000), () =>
        world.send('in', node, () =>
          agent.whenAwake(() => {
            // A start without a permit arrives only on the stream of a session, and ends with it.
            const needsNone = agent.journal.bound.get(server)?.mode === 'pinned'
            if (needsNone && (sessionId === 0 || agent.sessionId !== sessionId)) return
            if (world.rules.checksLateStarts) agent.boots.boot(server, placement)
            else agent.machine.start(server, { placement, guarded: true })
          }),
        ),
      )
  }
}
