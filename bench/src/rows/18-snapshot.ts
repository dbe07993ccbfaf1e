import { mkdir, open, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { interleave, median, medianRatio, timed } from '../measure/rounds.ts'
import { growthExponent } from '../measure/slope.ts'
import type { Bench, Finding, Row } from '../row.ts'
import { filledMachine } from '../stage/filled-machine.fixture.ts'
import { type MachineStage, machineStage } from '../stage/machine-stage.fixture.ts'

/**
 * Snapshot and restore of a stopped machine's disk, firmware and TPM, compared with a copy of the
 * disk alone.
 */
export const snapshot: Row = {
  number: 18,
  name: 'vm.snapshot',
  async run(bench) {
    const stage = await machineStage(bench, 1)
    const diskMb = bench.long ? 1024 : 256
    const { serverId, disk } = await filledMachine(stage, { name: 'kept', diskMb })
    bench.say(`a machine of ${diskMb} MiB`)
    const copy = path.join(stage.folder, 'copy.qcow2')
    const bare = async () => {
      await rm(copy, { force: true })
      return timed(async () => {
        await program('qemu-img', 'convert', '-m', '16', '-W', '-O', 'qcow2', disk, copy)
        const file = await open(copy)
        await file.sync()
        await file.close()
      })
    }
    const restores: number[] = []
    const ours = async () => {
      const { take, restore } = await taken(stage, serverId)
      restores.push(restore)
      return take
    }
    const rounds = await interleave(bench.long ? 7 : 3, { bare, ours })
    const times = { take: rounds.ours, restore: restores }
    const same = (milliseconds: number) => milliseconds
    const findings: Finding[] = [
      ...(['take', 'restore'] as const).map((figure) => ({
        what: `${figure} a snapshot of ${diskMb} MiB / qemu-img convert -m 16 -W`,
        value: medianRatio(times[figure], rounds.bare, same),
        unit: 'x',
        target: { atMost: 1.1 },
        detail: { ms: median(times[figure]), 'bare ms': median(rounds.bare) },
      })),
      ...(await shared(bench)),
    ]
    return findings
  },
}

/** Milliseconds until a new snapshot's job, and its restore, have ended; then deletes it. */
async function taken({ api }: MachineStage, serverId: string) {
  const where = `/api/servers/${serverId}/vm/snapshots`
  let snapshotId = ''
  const take = await timed(async () => {
    const made = await api.post(where, { name: 'bench' })
    snapshotId = String(made.snapshotId)
    await api.done(made)
  })
  const restore = await timed(async () =>
    api.done(await api.post(`${where}/${snapshotId}/restore`, { confirm: true })),
  )
  await api.done(await api.remove(`${where}/${snapshotId}`))
  return { take, restore }
}

/** On a file system that shares blocks, by the size of the disk. */
async function shared(bench: Bench): Promise<Finding[]> {
  const image = path.join(os.tmpdir(), `lodge-bench-${process.pid}.xfs`)
  // Short, because socket paths are limited.
  const at = path.join(os.tmpdir(), `lbx-${process.pid}`)
  bench.ending.add(image, (one) => rm(one, { force: true }))
  await program('truncate', '-s', '4G', image)
  await program('mkfs.xfs', '-q', '-m', 'reflink=1', image)
  await mkdir(at)
  bench.ending.add(at, (one) => rm(one, { recursive: true, force: true }))
  await program('mount', '-o', 'loop', image, at)
  bench.ending.add(at, (one) => program('umount', one))
  const stage = await machineStage(bench, 1, at)
  const points: { size: number; cost: number; cp: number }[] = []
  for (const size of [4, 40, 400]) {
    const { serverId, disk } = await filledMachine(stage, { name: `shared ${size}`, diskMb: size })
    const copy = path.join(stage.folder, 'copy.qcow2')
    const cp = () => timed(() => program('cp', '--reflink=always', disk, copy))
    const ours = async () => (await taken(stage, serverId)).take
    const times = await interleave(3, { cp, ours })
    points.push({ size, cost: median(times.ours), cp: median(times.cp) })
  }
  const last = points.at(-1)
  return [
    {
      what: `take a snapshot of ${last?.size} MiB where blocks are shared`,
      value: last?.cost ?? 0,
      unit: 'ms',
      target: { atMost: 100 },
      detail: Object.fromEntries(
        points.flatMap(({ size, cost, cp }) => [
          [`ms at ${size}`, cost],
          [`cp ms at ${size}`, cp],
        ]),
      ),
    },
    {
      what: 'the same: growth with the size of the disk',
      value: growthExponent(points),
      unit: '',
      target: { atMost: 0.05 },
    },
  ]
}

async function program(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await runProgram(file, args)
  if (code !== 0) throw new Error(`${file} ${args.join(' ')}: ${output}`)
}
