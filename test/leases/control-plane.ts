import type { BootQuestion, BootReply } from '@lodge/shared/leases/boot.ts'
import type { Grant } from '@lodge/shared/leases/node-lease.ts'
import type { Agent } from './agent.ts'
import type { Store } from './store.ts'
import type { World } from './world.ts'

export interface DesiredServer {
  readonly server: number
  readonly placement: number
  readonly on: boolean
  readonly mode: 'pinned' | 'auto'
  readonly revision: number
}

export type ToAgent = { readonly sessionId: number } & (
  | { readonly kind: 'welcome'; readonly epoch: number; readonly fenced: boolean }
  | { readonly kind: 'ended' }
  | ({ readonly kind: 'acknowledged' } & Grant)
  | { readonly kind: 'rejoined'; readonly epoch: number }
  | { readonly kind: 'desired'; readonly number: number; readonly servers: DesiredServer[] }
)

/** What several equal instances do with the agents' messages. */
export class ControlPlane {
  /** Until when each instance is stopped. */
  readonly pausedUntilMs = [0, 0]
  readonly #world: World
  readonly #store: Store
  readonly #agents = new Map<number, Agent>()
  #sessions = 0
  #numbers = 0

  constructor(world: World, store: Store) {
    this.#world = world
    this.#store = store
  }

  /** Runs something once this instance is not paused, as everything in it does. */
  whenRunning(instance: number, happen: () => void): void {
    const leftMs = this.pausedUntilMs[instance]! - this.#world.nowMs
    if (leftMs > 0)
      this.#world.after(leftMs + this.#world.between(0, 5), () =>
        this.whenRunning(instance, happen),
      )
    else happen()
  }

  /** A message of a node reaches one of the instances, whose transaction takes a moment. */
  #receive(node: number, happen: () => void): void {
    const instance = this.#world.chance(0.5) ? 0 : 1
    this.#world.send('out', node, () =>
      this.whenRunning(instance, () => this.#world.after(this.#world.between(1, 400), happen)),
    )
  }

  #tell(agent: Agent, message: ToAgent): void {
    this.#world.send('in', agent.machine.index, () => agent.whenAwake(() => agent.hear(message)))
  }

  hello(agent: Agent): void {
    const { index } = agent.machine
    const { life } = agent
    this.#agents.set(index, agent)
    this.#receive(index, () =>
      this.#store.whenFree(index, () => {
        if (agent.life !== life) return
        const sessionId = ++this.#sessions
        const { epoch, fenced } = this.#store.arrive(index, sessionId)
        this.#tell(agent, { kind: 'welcome', sessionId, epoch, fenced })
        this.announce(index)
      }),
    )
  }

  heartbeat(agent: Agent, sessionId: number, sequence: number, wanted: boolean): void {
    const { index } = agent.machine
    const { epoch } = agent.lease
    this.#receive(index, () => {
      const heard = this.#store.hear(index, sessionId)
      if (heard.kind === 'superseded') {
        this.#tell(agent, { kind: 'ended', sessionId })
        return
      }
      const lease = this.#world.rules.leaseIn(heard, wanted, epoch)
      const grant = { epoch: lease?.epoch ?? 0, ttlMs: lease?.ttlMs }
      this.#tell(agent, { kind: 'acknowledged', sessionId, sequence, ...grant })
      if (this.#world.chance(0.1)) this.announce(index)
    })
  }

  proof(agent: Agent, sessionId: number, epoch: number): void {
    const { index } = agent.machine
    const running = agent.machine.guarded().map(String)
    this.#receive(index, () =>
      this.#store.whenFree(index, () => {
        if (this.#store.prove(index, sessionId, { epoch, running }))
          this.#tell(agent, { kind: 'rejoined', sessionId, epoch })
      }),
    )
  }

  observation(
    { machine }: Agent,
    server: number,
    said: { observation: number; guarded: number },
  ): void {
    this.#receive(machine.index, () => this.#store.observed(machine.index, server, said))
  }

  mayBoot(agent: Agent, question: BootQuestion, answered: (reply: BootReply) => void): void {
    const { index } = agent.machine
    const { life } = agent
    this.#receive(index, () => {
      const node = this.#store.nodes[index]!
      const server = this.#store.servers[Number(question.serverId)]!
      const isAllowed =
        server.node === index &&
        server.placement === question.placement &&
        !server.held &&
        !node.fenced &&
        node.epoch === question.epoch
      const decision = isAllowed ? 'allow' : 'deny'
      const reply: BootReply = { ...question, decision, validForMs: 5_000 }
      this.#world.send('in', index, () =>
        agent.whenAwake(() => {
          if (agent.life === life) answered(reply)
        }),
      )
    })
  }

  /** Sends a node all of its desired states. */
  announce(node: number): void {
    const agent = this.#agents.get(node)
    const { sessionId } = this.#store.nodes[node]!
    if (!agent || sessionId === 0) return
    const servers = this.#store.servers.flatMap((row, server) => {
      const { held, mode, placement, revision } = row
      // A server that is verified to be off needs no guard on its node.
      const onNode = mode === 'auto' ? 'auto' : 'pinned'
      return row.node === node
        ? [{ server, placement, on: !held, mode: onNode, revision } as const]
        : []
    })
    this.#tell(agent, { kind: 'desired', sessionId, number: ++this.#numbers, servers })
  }
}
