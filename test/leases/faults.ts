import type { Agent } from './agent.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Store } from './store.ts'
import type { Coordinator } from './takeovers.ts'
import type { World } from './world.ts'

interface Parts {
  readonly world: World
  readonly store: Store
  readonly agents: readonly Agent[]
  readonly controlPlane: ControlPlane
  readonly coordinators: readonly Coordinator[]
  /** Called before a machine dies. */
  readonly crashes: (agent: Agent) => void
}

/** Lets one fault happen after the other, any of those that leases must survive. */
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

export const crashMachine: Fault = ({ world, crashes }, agent) => {
  const { machine } = agent
  if (!machine.isUp) return
  const had = [...machine.guests]
  crashes(agent)
  machine.crash()
  world.after(world.between(20_000, world.chance(0.3) ? 600_000 : 120_000), () => {
    machine.reboot()
    if (world.rules.startsAfterReboot)
      for (const [server, guest] of had) machine.start(server, guest)
  })
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
  store.setMode(server, row.mode === 'auto' ? 'pinned' : 'auto')
  const { node } = row
  controlPlane.announce(node)
  // Most go back soon, some at once.
  if (world.chance(0.9))
    world.after(world.between(0, world.chance(0.5) ? 5_000 : 60_000), () => {
      if (row.mode === 'pinned') store.setMode(server, 'auto')
      controlPlane.announce(row.node)
    })
}

const FAULTS: readonly Fault[] = [
  ...[partition, partition, slowThenGone, slowThenGone],
  ...[hangAgent, killAgent, killGuard, hangGuard],
  ...[crashMachine, pauseInstance, pauseAll, restartInstance],
  ...[stepClock, lockRow, shake, changeMode],
]
