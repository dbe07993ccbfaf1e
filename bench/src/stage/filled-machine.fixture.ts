import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { MachineNode } from './machine-node.fixture.ts'
import { createMachine, type MachineStage } from './machine-stage.fixture.ts'
import { writeNoise } from './noise.ts'

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
  await writeNoise(raw, given.diskMb)
  const args = ['convert', '-f', 'raw', '-O', 'qcow2', '-o', 'lazy_refcounts=on', raw, disk]
  const { code, output } = await runProgram('qemu-img', args)
  if (code !== 0) throw new Error(output)
  await rm(raw)
  return { serverId, disk }
}
