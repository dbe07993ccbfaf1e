import { setTimeout as pause } from 'node:timers/promises'
import { loopLag } from '../measure/loop-lag.ts'
import { interleave, median } from '../measure/rounds.ts'
import { weightOf } from '../measure/weight.ts'
import type { Finding, Row } from '../row.ts'
import type { MachineNode } from '../stage/machine-node.fixture.ts'
import { createMachine, machineStage } from '../stage/machine-stage.fixture.ts'

const DEFINED = 50
const RUNNING = 5
const AT_ONCE = 4
const SAMPLE_SECONDS = 5

interface Interval {
  readonly lagMs: number
  readonly mostMs: number
  readonly cpuMs: number
  readonly libvirtMs: number
  readonly pssMb: number
}

/** One agent with many machines, compared with one that has none, each on its own libvirt. */
export const manyMachines: Row = {
  number: 27,
  name: 'agent with many machines',
  async run(bench) {
    const stage = await machineStage(bench, 2)
    const [none, many] = stage.nodes
    if (!none || !many) throw new Error('there are not two nodes')
    for (let at = 0; at < RUNNING; at++) {
      const name = `running ${at}`
      const serverId = await createMachine(stage, { name, diskMb: 32, node: many })
      await stage.view.shows(serverId, 'running')
    }
    let left = DEFINED - RUNNING
    const workers = Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const wanted = { diskMb: 32, node: many, start: false, empty: true }
        await createMachine(stage, { name: `defined ${left}`, ...wanted })
      }
    })
    await Promise.all(workers)
    bench.say(`${DEFINED} machines, ${RUNNING} of them run`)
    // Excludes what the creations left behind, and the guests that are still booting.
    await pause(bench.long ? 60_000 : 20_000)

    const seconds = bench.long ? 30 : 10
    const measured = (node: MachineNode) => () => interval(node, seconds)
    const found = await interleave(bench.long ? 9 : 5, {
      none: measured(none),
      many: measured(many),
    })
    const middle = (side: 'none' | 'many', figure: keyof Interval) =>
      median(found[side].map((one) => one[figure]))
    const perSample = SAMPLE_SECONDS / seconds
    const cpu = (side: 'none' | 'many') => middle(side, 'cpuMs') * perSample
    const beyond = cpu('many') - cpu('none')
    const memory = (side: 'none' | 'many') => middle(side, 'pssMb')
    const findings: Finding[] = [
      {
        what: `event loop with ${DEFINED} machines: p99 late by`,
        value: middle('many', 'lagMs'),
        unit: 'ms',
        target: { atMost: 20 },
        detail: {
          most: Math.max(...found.many.map(({ mostMs }) => mostMs)),
          'without machines': middle('none', 'lagMs'),
          'without machines most': Math.max(...found.none.map(({ mostMs }) => mostMs)),
        },
      },
      {
        what: `CPU of agent and its programs for ${DEFINED} machines, beyond one without: of a core`,
        value: (beyond / (SAMPLE_SECONDS * 1000)) * 100,
        unit: '%',
        target: { atMost: 0.5 },
        detail: {
          [`ms each ${SAMPLE_SECONDS} s`]: cpu('many'),
          'without machines ms': cpu('none'),
          'libvirtd ms': middle('many', 'libvirtMs') * perSample,
        },
      },
      {
        what: 'memory (PSS) for each machine, agent and its programs',
        value: ((memory('many') - memory('none')) * 1024) / DEFINED,
        unit: 'KB',
        target: { atMost: 60 },
        detail: { MB: memory('many'), 'without machines MB': memory('none') },
      },
    ]
    return findings
  },
}

async function interval({ agent, libvirt }: MachineNode, seconds: number): Promise<Interval> {
  const daemon = await libvirt.libvirtdPid()
  await loopLag(agent)
  const [before, daemonBefore] = [weightOf(agent.pid), weightOf(daemon)]
  await pause(seconds * 1000)
  const [after, daemonAfter] = [weightOf(agent.pid), weightOf(daemon)]
  const { p99, max } = await loopLag(agent)
  return {
    lagMs: p99,
    mostMs: max,
    cpuMs: after.cpuMs - before.cpuMs,
    libvirtMs: daemonAfter.cpuMs - daemonBefore.cpuMs,
    pssMb: after.pssMb,
  }
}
