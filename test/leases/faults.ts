import type { Agent } from './agent.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Machine } from './machine.ts'
import type { Store } from './store.ts'
import type { Coordinator } from './takeovers.ts'
import type { World } from './world.ts'

export interface Parts {
  readonly world: World
  readonly store: Store
  readonly agents: readonly Agent[]
  readonly controlPlane: ControlPlane
  readonly coordinators: readonly Coordinator[]
  /** Called before a machine dies. */
  readonly crashes: (agent: Agent) => void
}

/** Injects one fault after another, out of all that leases must survive. */
export function letFaultsHappen(parts: Parts, untilMs: number): void {
  const { world } = parts
  const next = () => {
    if (world.nowMs > untilMs) return
    world.pick(FAULTS)(parts, world.pick(parts.agents))
    world.after(world.between(1_000, 30_000), next)
  }
  world.after(15_000, next)
}

type Fault = (parts: Parts, agent: Agent) => void

const partition: Fault = ({ world }, { machine }) => {
  const forMs = world.between(1_000, 300_000)
  const way = world.between(0, 1)
  if (way < 0.6 || way > 0.8) world.cut('out', machine.index, forMs)
  if (way < 0.8) world.cut('in', machine.index, forMs)
}

/** A failing network is often slow before it is gone. */
const slowThenGone: Fault = ({ world }, { machine }) => {
  const slowMs = world.between(5_000, 60_000)
  world.slow('in', machine.index, slowMs)
  if (world.chance(0.7))
    world.after(world.between(0, slowMs), () =>
      world.cut('out', machine.index, world.between(30_000, 200_000)),
    )
}

const hangAgent: Fault = ({ world }, agent) => {
  agent.program.hungUntilMs = world.nowMs + world.between(500, 200_000)
}

const killAgent: Fault = ({ world }, agent) => {
  const { machine } = agent
  if (!machine.isUp || !agent.program.alive) return
  const { boot } = machine
  agent.died()
  world.after(world.between(500, 120_000), () => {
    if (machine.boot === boot && machine.isUp) agent.begin()
  })
}

const killGuard: Fault = ({ world }, { machine }) => {
  machine.guard.alive = false
  world.after(world.between(200, 2_000), () => {
    machine.guard.alive = true
  })
}

const hangGuard: Fault = ({ world }, { machine, program }) => {
  const { guardHangsToo } = world.rules
  machine.guard.hungUntilMs = world.nowMs + world.between(100, guardHangsToo ? 120_000 : 4_000)
  if (guardHangsToo) program.hungUntilMs = Math.max(program.hungUntilMs, machine.guard.hungUntilMs)
}

export const crashMachine: Fault = (parts, agent) => {
  if (!agent.machine.isUp) return
  parts.crashes(agent)
  losePower(parts, agent.machine)
}

/** Its power returns after a while. */
export function losePower({ world }: Pick<Parts, 'world'>, machine: Machine): void {
  const had = [...machine.guests]
  machine.crash()
  world.after(world.between(20_000, world.chance(0.3) ? 600_000 : 120_000), () => {
    machine.reboot()
    if (world.rules.startsAfterReboot)
      for (const [server, guest] of had) machine.start(server, guest)
  })
}

/**
 * An operator sees that a machine is off and declares it dead, a moment before its power may return.
 */
const declareDead: Fault = ({ store, coordinators }, { machine }) => {
  if (machine.isUp) return
  store.declareDead(machine.index)
  for (const [server, row] of store.servers.entries())
    if (row.node === machine.index && !row.held) coordinators[0]!.bringBack(server)
}

const pauseInstance: Fault = ({ world, controlPlane }) => {
  const instance = world.chance(0.5) ? 0 : 1
  controlPlane.pausedUntilMs[instance] = world.nowMs + world.between(500, 150_000)
}

const pauseAll: Fault = ({ world, controlPlane }) => {
  controlPlane.pausedUntilMs.fill(world.nowMs + world.between(1_000, 100_000))
}

const restartInstance: Fault = ({ world, coordinators }) => world.pick(coordinators).restart()

const stepClock: Fault = ({ world, store }) => {
  store.wallOffsetMs += world.between(-300_000, 300_000)
}

const lockRow: Fault = ({ world, store }, { machine }) => {
  store.nodes[machine.index]!.lockedUntilMs = world.nowMs + world.between(100, 200_000)
}

const shake: Fault = ({ world, agents }) => {
  for (const { machine } of agents) world.cut('out', machine.index, world.between(0, 40_000))
}

const changeMode: Fault = ({ world, store, controlPlane }) => {
  const server = Math.floor(world.between(0, store.servers.length))
  const row = store.servers[server]!
  const { node, mode } = row
  store.setMode(server, world.pick(MODES.filter((one) => one !== mode)))
  controlPlane.announce(node)
  // Most recover soon, some immediately.
  if (world.chance(0.9))
    world.after(world.between(0, world.chance(0.5) ? 5_000 : 60_000), () => {
      if (row.mode !== mode && mode !== 'pinned') store.setMode(server, mode)
      controlPlane.announce(row.node)
    })
}

const breakController: Fault = ({ world }, { machine }) => {
  machine.controllerFailsUntilMs = world.nowMs + world.between(30_000, 300_000)
}

/** A link that recovers only for a moment. */
const flap: Fault = ({ world }, { machine: { index } }) => {
  const forMs = world.between(20_000, 90_000)
  world.cut('out', index, forMs)
  world.after(forMs + world.between(5_000, 30_000), () =>
    world.cut('out', index, world.between(30_000, 200_000)),
  )
}

/** An operator extends all leases, may stop everything for a while, and ends the extension later. */
const extendLeases: Fault = ({ world, store, controlPlane }) => {
  const ttlMs = world.between(60_000, 200_000)
  const set = (extendedTtlMs: number) => {
    for (const node of store.nodes.keys()) store.setTtl(node, { extendedTtlMs })
  }
  set(ttlMs)
  world.after(world.between(5_000, 60_000), () => {
    if (world.chance(0.5)) controlPlane.pausedUntilMs.fill(world.nowMs + world.between(0, ttlMs))
    world.after(world.between(0, 60_000), () => set(0))
  })
}

/** An operator changes the leases of one node. */
const changeTtl: Fault = ({ world, store }, { machine }) =>
  store.setTtl(machine.index, { ownTtlMs: world.pick(TTLS_MS) })

export const TTLS_MS = [20_000, 30_000, 60_000]
const MODES = ['pinned', 'auto', 'stonith'] as const

const FAULTS: readonly Fault[] = [
  ...[partition, partition, slowThenGone, slowThenGone],
  ...[hangAgent, killAgent, killGuard, hangGuard],
  ...[crashMachine, pauseInstance, pauseAll, restartInstance],
  ...[stepClock, lockRow, shake, changeMode, declareDead],
  ...[extendLeases, changeTtl, flap, breakController],
]
