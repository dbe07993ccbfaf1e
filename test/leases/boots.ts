import type { BootQuestion, BootReply } from '@lodge/shared/leases/boot.ts'
import { leftMs } from '@lodge/shared/leases/node-lease.ts'
import type { Agent } from './agent.ts'

/** Starts and stops of the servers of one node. */
export class Boots {
  readonly #agent: Agent
  #attempts = 0

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /** Starts servers that should run and do not. */
  reconcile(): void {
    const { desired, machine } = this.#agent
    for (const { server, on, placement } of desired.values())
      if (on && !machine.guests.has(server)) this.boot(server, placement)
  }

  stop(server: number): void {
    const { machine } = this.#agent
    const { world } = machine
    const guest = machine.guests.get(server)
    world.after(world.between(10, 3_000), () => {
      if (machine.guests.get(server) === guest) machine.guests.delete(server)
    })
  }

  /** A pinned server starts immediately, a guarded one needs a permit and a lease. */
  boot(server: number, placement: number): void {
    const agent = this.#agent
    const { journal, machine } = agent
    const { rules } = machine.world
    if ((journal.released.get(server) ?? 0) >= placement) return
    const bound = journal.bound.get(server)
    if (!bound) return
    if (bound.mode === 'pinned') {
      machine.start(server, { placement, guarded: false })
      return
    }
    if (leftMs(agent.lease, machine.uptimeMs()) < rules.times.bootLeastMs) return
    if (!rules.needsPermit) {
      machine.start(server, { placement, guarded: true })
      return
    }
    const question: BootQuestion = {
      attempt: `${agent.life}-${this.#attempts++}`,
      serverId: String(server),
      placement,
      epoch: agent.lease.epoch,
      askedMs: machine.uptimeMs(),
    }
    agent.controlPlane.mayBoot(agent, question, (reply) => this.#answered(question, reply))
  }

  #answered(question: BootQuestion, reply: BootReply): void {
    const { journal, lease, machine } = this.#agent
    const { rules } = machine.world
    const server = Number(question.serverId)
    // If it has become pinned meanwhile, the next round starts it.
    if (journal.bound.get(server)?.mode !== 'auto') return
    const releasedThrough = journal.released.get(server) ?? 0
    const given = { lease, question, reply, releasedThrough }
    if (rules.whyNoBoot(given, machine.uptimeMs(), rules.times) === undefined)
      machine.start(server, { placement: question.placement, guarded: true })
  }
}
