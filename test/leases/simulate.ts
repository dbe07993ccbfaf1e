import { Agent } from './agent.ts'
import { ControlPlane } from './control-plane.ts'
import { crashMachine, letFaultsHappen, TTLS_MS } from './faults.ts'
import { Fencer } from './fencing.ts'
import { Machine } from './machine.ts'
import { Moves } from './moves.ts'
import type { Rules } from './rules.ts'
import { Store } from './store.ts'
import { Coordinator } from './takeovers.ts'
import { World } from './world.ts'

const NODES = 3
const SERVERS = 3
const LENGTH_MS = 15 * 60_000

export interface Outcome {
  /** The first moment at which a server ran twice. */
  readonly doubleRun: {
    readonly seed: number
    readonly atMs: number
    readonly server: number
  } | null
  readonly takeovers: number
  readonly starts: number
  /** Nodes that were switched off and verified to be. */
  readonly switchedOff: number
  /** How long servers of crashed machines were down until they ran elsewhere. */
  readonly awayMs: readonly number[]
}

/**
 * One random schedule of faults. The same seed and rules give the same outcome.
 * @param only `crashes`: machines crash, one after another, and nothing else happens
 */
export function simulate(seed: number, rules: Rules, only?: 'crashes'): Outcome {
  const world = new World(seed, rules, only === 'crashes')
  const ttlMs = only ? 60_000 : world.pick(TTLS_MS)
  const store = new Store(world, { nodes: NODES, servers: SERVERS, ttlMs })
  // Every other fleet has a server that keeps running when cut off, and needs a power-off.
  if (!only && seed % 2 === 0) store.servers[SERVERS - 1]!.mode = 'stonith'
  const controlPlane = new ControlPlane(world, store)
  const lostAtMs = new Map<number, number>()
  const awayMs: number[] = []
  let doubleRun: Outcome['doubleRun'] = null
  let starts = 0
  const started = (server: number) => {
    starts += 1
    const runs = machines.filter(({ guests }) => guests.has(server)).length
    if (runs > 1) doubleRun ??= { seed, atMs: world.nowMs, server }
    const lost = lostAtMs.get(server)
    if (lost !== undefined) awayMs.push(world.nowMs - lost)
    lostAtMs.delete(server)
  }
  const machines: Machine[] = []
  for (let index = 0; index < NODES; index++) machines.push(new Machine(world, index, started))
  const agents = machines.map((machine) => {
    machine.agent = new Agent(machine, controlPlane)
    return machine.agent
  })
  const coordinators = [0, 1].map((at) => new Coordinator(world, store, controlPlane, at))
  const crashes = ({ machine }: Agent) => {
    for (const server of machine.guests.keys()) lostAtMs.set(server, world.nowMs)
  }
  const parts = { world, store, agents, controlPlane, coordinators, crashes }
  if (!only) for (const at of [0, 1]) new Fencer(parts, at)
  new Moves(world, store, agents, controlPlane).begin()
  if (only) crashInTurn(() => crashMachine(parts, world.pick(agents)), world)
  else letFaultsHappen(parts, LENGTH_MS - 100_000)
  world.run(LENGTH_MS)
  const { fencings, takeovers } = store
  return { doubleRun, takeovers: takeovers.length, starts, switchedOff: fencings.off, awayMs }
}

function crashInTurn(crash: () => void, world: World): void {
  world.after(world.between(60_000, 120_000), crash)
  world.after(world.between(400_000, 460_000), crash)
}
