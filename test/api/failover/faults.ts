import { setTimeout as pause } from 'node:timers/promises'
import { guardPid } from '../../../agent/src/guard/launch.ts'
import { childrenOf, signal } from '../../support/processes.ts'
import type { GuardedNode } from './guarded-fleet.ts'
import type { Instance, TwoControlPlanes } from './two-control-planes.ts'

/** A fault of a fleet of two control planes. Everything is repaired once it has returned. */
export interface Fault {
  readonly name: string
  befall(world: TwoControlPlanes, random: () => number): Promise<void>
}

const anyOf = <T>(all: readonly T[], random: () => number): T => {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new Error('nothing to choose from')
  return one
}
const instanceOf = ({ instances }: TwoControlPlanes, random: () => number): Instance =>
  anyOf(instances, random)
const nodeOf = ({ fleet }: TwoControlPlanes, random: () => number): GuardedNode =>
  anyOf(fleet.nodes, random)
/** A duration shorter than a lease, about as long, or longer. */
const aWhile = (random: () => number) => pause(200 + random() * 11_000)

const WAYS = [['out'], ['in'], ['out', 'in']] as const

export const FAULTS: readonly Fault[] = [
  {
    name: 'a control plane is killed',
    async befall(world, random) {
      const { process } = instanceOf(world, random)
      await process.kill()
      await aWhile(random)
      await process.start()
    },
  },
  {
    name: 'a control plane is frozen',
    async befall(world, random) {
      const { process } = instanceOf(world, random)
      process.freeze()
      await aWhile(random)
      process.thaw()
    },
  },
  {
    name: 'both control planes are killed',
    async befall({ instances }, random) {
      await Promise.all(instances.map(({ process }) => process.kill()))
      await aWhile(random)
      await Promise.all(instances.map(({ process }) => process.start()))
    },
  },
  {
    name: 'a control plane is cut off from PostgreSQL',
    async befall(world, random) {
      const { line } = instanceOf(world, random)
      line.cut(anyOf(WAYS, random))
      await aWhile(random)
      line.mend()
    },
  },
  {
    name: 'PostgreSQL is killed',
    async befall({ pool, postmaster }) {
      const before = postmaster()
      for (const pid of [before, ...childrenOf(before)]) signal(pid, 'SIGKILL')
      // Its supervisor starts it again.
      while (postmaster() === before) await pause(100)
      await answers(pool)
    },
  },
  {
    name: 'PostgreSQL is stopped at once',
    async befall({ pool, postmaster }) {
      const before = postmaster()
      signal(before, 'SIGQUIT')
      while (postmaster() === before) await pause(100)
      await answers(pool)
    },
  },
  {
    name: 'PostgreSQL is frozen',
    async befall({ postmaster }, random) {
      const all = [postmaster(), ...childrenOf(postmaster())]
      for (const pid of all) signal(pid, 'SIGSTOP')
      await aWhile(random)
      for (const pid of all) signal(pid, 'SIGCONT')
    },
  },
  {
    name: 'a node is cut off',
    async befall(world, random) {
      const { line } = nodeOf(world, random)
      // A line that is cut already stays so.
      if (line.isCut) return
      line.cut(anyOf(WAYS, random))
      await aWhile(random)
      line.mend()
    },
  },
  {
    name: 'the network of a node is slow',
    async befall(world, random) {
      const { line } = nodeOf(world, random)
      line.slow(random() * 8_000)
      await aWhile(random)
      line.slow(0)
    },
  },
  {
    name: 'PostgreSQL is far from a control plane',
    async befall(world, random) {
      const { line } = instanceOf(world, random)
      line.slow(random() * 1_000)
      await aWhile(random)
      line.slow(0)
    },
  },
  {
    name: 'a control plane is updated',
    async befall(world, random) {
      const { process } = instanceOf(world, random)
      await process.stop()
      await process.start()
    },
  },
  {
    name: 'an agent is updated',
    async befall(world, random) {
      const { agent } = nodeOf(world, random)
      await agent.close()
      await aWhile(random)
      await agent.connect()
    },
  },
  {
    name: 'a guard is killed',
    async befall(world, random) {
      const pid = await guardPid(nodeOf(world, random).guard.folder)
      if (pid !== null) signal(pid, 'SIGKILL')
    },
  },
  {
    name: 'a guard is frozen',
    async befall(world, random) {
      const pid = await guardPid(nodeOf(world, random).guard.folder)
      if (pid === null) return
      signal(pid, 'SIGSTOP')
      // The agent does its work, or a new process of it starts.
      await pause(random() * 2_000)
      signal(pid, 'SIGCONT')
    },
  },
]

async function answers(pool: TwoControlPlanes['pool']): Promise<void> {
  while (!(await pool.query('select 1').catch(() => undefined))) await pause(100)
}
