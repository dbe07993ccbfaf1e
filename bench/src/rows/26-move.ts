import { copyFile, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import type { ApiCaller } from '../stage/api.ts'
import { filledMachine } from '../stage/filled-machine.fixture.ts'
import { freePortOfNode } from '../stage/free-port.ts'
import { machineStage } from '../stage/machine-stage.fixture.ts'
import { startProgram } from '../stage/program.ts'

/**
 * A stopped machine to another node, directly and through the control plane, compared with a bare copy
 * of its disk.
 */
export const move: Row = {
  number: 26,
  name: 'vm.migrate',
  async run(bench) {
    const stage = await machineStage(bench, 2)
    const { api, catalogue, nodes, side, folder } = stage
    const [source, target] = nodes
    const diskMb = bench.long ? 1024 : 256
    const rounds = bench.long ? 5 : 3
    const machines: { serverId: string }[] = []
    for (let at = 0; at < rounds * 2; at++)
      machines.push(await filledMachine(stage, { name: `moving ${at}`, diskMb }))
    const { disk: kept } = await filledMachine(stage, { name: 'staying', diskMb })
    bench.say(`${rounds * 2 + 1} machines of ${diskMb} MiB`)

    const program = bench.ending.add(
      await startProgram(
        ['bench/src/limits/tls-copy.ts'],
        { LODGE_DATA: path.join(side.plane.dataFolder, 'authority') },
        (line) => typeof line.port === 'number',
      ),
      (one) => one.end(),
    )
    const { stdin, stdout } = program.child
    if (!stdin || !stdout) throw new Error('the limit cannot be told anything')
    const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
    const copy = path.join(folder, 'copy.qcow2')
    const streamed = () =>
      timed(async () => {
        await rm(copy, { force: true })
        stdin.write(`${kept} ${copy}\n`)
        await answers.next()
      })
    const copied = () =>
      timed(async () => {
        await rm(copy, { force: true })
        await copyFile(kept, copy)
        const file = await open(copy)
        await file.sync()
        await file.close()
      })
    const port = await freePortOfNode()
    const moved = (transferPort: number | null) => async () => {
      await setTransferPort(api, source?.id, transferPort)
      const { serverId } = machines.pop() ?? { serverId: '' }
      const to = { nodeId: target?.id, networkId: catalogue.networkId }
      const began = performance.now()
      const job = await api.post(`/api/servers/${serverId}/vm/migrate`, to)
      const { copyMs, way } = await copyOf(api, String(job.jobId))
      await api.done(job)
      const isDirect = way.includes('directly')
      if (isDirect !== (transferPort !== null)) throw new Error(`the wrong way: ${way}`)
      return { ms: performance.now() - began, copyMs }
    }
    const bare = (work: () => Promise<number>) => async () => ({ ms: await work(), copyMs: 0 })
    const times = await interleave(rounds, {
      copied: bare(copied),
      streamed: bare(streamed),
      ours: moved(null),
      direct: moved(port),
    })
    const mib = (await stat(kept)).size / 1048576
    type Times = readonly { readonly ms: number; readonly copyMs: number }[]
    const whole = ({ ms }: Times[number]) => ms
    const msOf = (all: Times) => median(all.map(whole))
    const copyMsOf = (all: Times) => median(all.map(({ copyMs }) => copyMs))
    const rate = (all: Times) => mib / (msOf(all) / 1000)
    /** How fast its copy is beside the stream. */
    const speed = (all: Times) =>
      median(all.map(({ copyMs }, round) => (times.streamed[round]?.ms ?? 0) / copyMs))
    const findings: Finding[] = [
      {
        what: `a machine of ${diskMb} MiB at its new node, verified / one TLS stream with fingerprints`,
        value: medianRatio(times.ours, times.streamed, whole),
        unit: 'x',
        detail: {
          ms: msOf(times.ours),
          'stream ms': msOf(times.streamed),
          'MiB/s': rate(times.ours),
          'stream MiB/s': rate(times.streamed),
        },
      },
      {
        what: 'the same / cp and fsync',
        value: medianRatio(times.ours, times.copied, whole),
        unit: 'x',
        detail: { 'cp ms': msOf(times.copied), 'cp MiB/s': rate(times.copied) },
      },
      {
        what: 'the same directly from node to node / one TLS stream with fingerprints',
        value: medianRatio(times.direct, times.streamed, whole),
        unit: 'x',
        detail: { ms: msOf(times.direct), 'MiB/s': rate(times.direct) },
      },
      {
        what: 'its copy alone, directly: speed / one TLS stream with fingerprints',
        value: speed(times.direct),
        unit: 'x',
        target: { atLeast: 0.8 },
        detail: {
          ms: copyMsOf(times.direct),
          'through the control plane, ms': copyMsOf(times.ours),
          'through the control plane, speed': speed(times.ours),
        },
      },
    ]
    return findings
  },
}

/** Waits until the source takes connections of other nodes at this port, or at none. */
async function setTransferPort(
  api: ApiCaller,
  id: string | undefined,
  transferPort: number | null,
): Promise<void> {
  await api.patch(`/api/nodes/${id}`, { address: '127.0.0.1', transferPort })
  for (;;) {
    const { transfers } = (await api.get(`/api/nodes/${id}`)) as { transfers: { open: boolean } }
    if (transfers.open === (transferPort !== null)) return
    await setTimeout(50)
  }
}

/** How long the step of a move takes that brings the disks, as its job tells it. */
async function copyOf(api: ApiCaller, jobId: string): Promise<{ copyMs: number; way: string }> {
  let began: number | undefined
  for (;;) {
    const { steps } = (await api.get(`/api/jobs/${jobId}`)) as { steps: Step[] }
    const copy = steps.find(({ name }) => name === 'Copy')
    if (copy && copy.state !== 'waiting') began ??= performance.now()
    if (began !== undefined && copy && copy.state !== 'running')
      return { copyMs: performance.now() - began, way: copy.detail ?? '' }
    await setTimeout(5)
  }
}

interface Step {
  readonly name: string
  readonly state: string
  readonly detail: string | null
}
