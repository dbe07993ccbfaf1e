import { copyFile, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { filledMachine } from '../stage/filled-machine.fixture.ts'
import { machineStage } from '../stage/machine-stage.fixture.ts'
import { startProgram } from '../stage/program.ts'

/** A stopped machine to another node through the control plane, compared with a bare copy of its disk. */
export const move: Row = {
  number: 26,
  name: 'vm.migrate',
  async run(bench) {
    const stage = await machineStage(bench, 2)
    const { api, catalogue, nodes, side, folder } = stage
    const [, target] = nodes
    const diskMb = bench.long ? 1024 : 256
    const rounds = bench.long ? 5 : 3
    const machines: { serverId: string }[] = []
    for (let at = 0; at < rounds; at++)
      machines.push(await filledMachine(stage, { name: `moving ${at}`, diskMb }))
    const { disk: kept } = await filledMachine(stage, { name: 'staying', diskMb })
    bench.say(`${rounds + 1} machines of ${diskMb} MiB`)

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
    const moved = async () => {
      const { serverId } = machines.pop() ?? { serverId: '' }
      const to = { nodeId: target?.id, networkId: catalogue.networkId }
      return timed(async () => api.done(await api.post(`/api/servers/${serverId}/vm/migrate`, to)))
    }
    const times = await interleave(rounds, { copied, streamed, ours: moved })
    const same = (milliseconds: number) => milliseconds
    const mib = (await stat(kept)).size / 1048576
    const rate = (all: number[]) => mib / (median(all) / 1000)
    const findings: Finding[] = [
      {
        what: `a machine of ${diskMb} MiB at its new node, verified / one TLS stream with fingerprints`,
        value: medianRatio(times.ours, times.streamed, same),
        unit: 'x',
        detail: {
          ms: median(times.ours),
          'stream ms': median(times.streamed),
          'MiB/s': rate(times.ours),
          'stream MiB/s': rate(times.streamed),
        },
      },
      {
        what: 'the same / cp and fsync',
        value: medianRatio(times.ours, times.copied, same),
        unit: 'x',
        detail: { 'cp ms': median(times.copied), 'cp MiB/s': rate(times.copied) },
      },
    ]
    return findings
  },
}
