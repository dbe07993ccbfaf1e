import { rm } from 'node:fs/promises'
import { type LoopLag, loopLag } from '../measure/loop-lag.ts'
import { median, medianRatio, timed } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { bareCopy, convertImage, logSays, uuidOf } from '../stage/bare-machine.fixture.ts'
import { act, createMachine, machineStage, nextRun } from '../stage/machine-stage.fixture.ts'

const DISK_MB = 64
/** A machine is shown as running once it has stayed up for this long. */
const STAY_UP_MS = 2000
const BOOTED = 'guest: booted'

/**
 * A machine from the request until libvirt runs it, its guest prints and a panel shows it, compared
 * with bare libvirt.
 */
export const machineStart: Row = {
  number: 4,
  name: 'vm.provision and vm.start',
  async run(bench) {
    const stage = await machineStage(bench, 1)
    const { folder, view, catalogue, nodes } = stage
    const [node] = nodes
    if (!node) throw new Error('there is no node')
    let count = 0
    /** Creates a machine until libvirt runs its guest; then stops it to free the processors. */
    const provisioned = async () => {
      const runs = nextRun(node)
      let serverId = ''
      const milliseconds = await timed(async () => {
        serverId = await createMachine(stage, { name: `machine ${count++}`, diskMb: DISK_MB })
        await runs
      })
      await view.shows(serverId, 'running')
      await act(stage, serverId, 'kill', 'stopped')
      return { serverId, milliseconds }
    }
    const { serverId: first } = await provisioned()
    const provision = { bare: [] as number[], ours: [] as number[] }
    for (let round = 0; round < (bench.long ? 9 : 5); round++) {
      const bare = await bareCopy(node, first, folder)
      await rm(bare.disk)
      provision.bare.push(
        await timed(async () => {
          await convertImage(catalogue.image, bare.disk, DISK_MB)
          await bare.define()
          await bare.start()
        }),
      )
      await bare.end()
      provision.ours.push((await provisioned()).milliseconds)
    }
    bench.say('provisioned')

    const bare = await bareCopy(node, first, folder)
    await bare.define()
    const uuid = await uuidOf(node.port, first)
    const { serialLog } = node.paths(first)
    const times = {
      active: { bare: [] as number[], ours: [] as number[] },
      booted: { bare: [] as number[], ours: [] as number[] },
      shown: [] as number[],
      kill: { bare: [] as number[], ours: [] as number[] },
    }
    const lags: LoopLag[] = []
    const bareRound = async () => {
      const started = performance.now()
      await bare.define()
      await bare.start()
      times.active.bare.push(performance.now() - started)
      await bare.says(BOOTED)
      times.booted.bare.push(performance.now() - started)
      times.kill.bare.push(await timed(() => bare.end()))
    }
    const ourRound = async () => {
      const resumed = nextRun(node, uuid)
      await loopLag(node.agent)
      const started = performance.now()
      const since = () => performance.now() - started
      const shown = act(stage, first, 'start', 'running').then(since)
      times.active.ours.push(await resumed.then(since))
      times.shown.push(await shown)
      // Each run has its own log, which exists since libvirt started it.
      await logSays(serialLog, BOOTED)
      times.booted.ours.push(since())
      lags.push(await loopLag(node.agent))
      times.kill.ours.push(await timed(() => act(stage, first, 'kill', 'stopped')))
    }
    for (let round = 0; round < (bench.long ? 15 : 5); round++) {
      const turns = [bareRound, ourRound]
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
    }
    const same = (milliseconds: number) => milliseconds
    const compared = (
      what: string,
      ours: number[],
      limit: number[],
      atMost: number,
      peer: string,
    ): Finding => ({
      what,
      value: medianRatio(ours, limit, same),
      unit: 'x',
      target: { atMost },
      peer,
      detail: { ms: median(ours), 'bare ms': median(limit) },
    })
    return [
      compared(
        'creation accepted until libvirt runs the guest / qemu-img, define and create',
        provision.ours,
        provision.bare,
        1.25,
        '',
      ),
      compared(
        'start accepted until libvirt runs the guest / define and create alone',
        times.active.ours,
        times.active.bare,
        1.1,
        'virsh 1.22x',
      ),
      compared(
        'start accepted until the guest speaks / the same',
        times.booted.ours,
        times.booted.bare,
        1.08,
        'virsh 1.29x',
      ),
      {
        what: 'from a guest that has stayed up until a panel shows it',
        value: median(times.shown) - median(times.active.ours) - STAY_UP_MS,
        unit: 'ms',
        detail: { 'start until shown ms': median(times.shown) },
      },
      compared(
        'kill until a panel shows it / libvirt destroy',
        times.kill.ours,
        times.kill.bare,
        1.15,
        '',
      ),
      {
        what: 'event loop of the agent while machines start: p99 late by',
        value: median(lags.map(({ p99 }) => p99)),
        unit: 'ms',
        target: { atMost: 20 },
        detail: { most: Math.max(...lags.map(({ max }) => max)) },
      },
    ]
  },
}
