import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { MachineNode } from './machine-node.fixture.ts'
import { createMachine, type MachineStage } from './machine-stage.fixture.ts'

const MIB = 1024 * 1024

/** A stopped machine with firmware variables and a disk full of incompressible data. */
export async function filledMachine(
  stage: MachineStage,
  given: { name: string; diskMb: number; node?: MachineNode },
): Promise<{ serverId: string; disk: string }> {
  const node = given.node ?? stage.nodes[0]
  if (!node) throw new Error('there is no node')
  const serverId = await createMachine(stage, { ...given, start: false, whole: true, empty: true })
  const disk = node.paths(serverId).disk('system')
  const raw = path.join(stage.folder, 'noise.raw')
  await pipeline(Readable.from(noise(given.diskMb)), createWriteStream(raw))
  const args = ['convert', '-f', 'raw', '-O', 'qcow2', '-o', 'lazy_refcounts=on', raw, disk]
  const { code, output } = await runProgram('qemu-img', args)
  if (code !== 0) throw new Error(output)
  await rm(raw)
  return { serverId, disk }
}

/** Mebibytes that differ from each other and contain no long runs of zeroes. */
function* noise(count: number): Generator<Buffer> {
  const block = Buffer.alloc(MIB)
  for (let at = 0; at < MIB; at += 4) block.writeUInt32LE(Math.random() * 2 ** 32, at)
  for (let number = 0; number < count; number++) {
    const own = Buffer.from(block)
    for (let at = 0; at < MIB; at += 4096) own.writeUInt32LE(number, at)
    yield own
  }
}
