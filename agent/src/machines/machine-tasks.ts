import { DriverError, type Progress } from '@lodge/driver/driver.ts'
import type { Machines, SnapshotInfo } from '@lodge/driver/machines.ts'
import type { Done, Task } from '@lodge/proto/task.ts'
import { MachineManifest } from '@lodge/shared/machine-copy.ts'
import { MediumRef } from '@lodge/shared/machine-spec.ts'
import type { z } from 'zod'

export interface MachineTasksOptions {
  readonly machines: Machines
  /** Makes a machine here from a copy at another node. */
  readonly importMachine: (
    serverId: string,
    work: ImportMachine,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ) => Promise<void>
  /** Takes everything of a machine away that was given to another node. */
  readonly discard: (serverId: string, placementGeneration: number) => Promise<void>
  /** Looks anew at what the node can do; answers the report as a document. */
  readonly checkVirtualization: () => Promise<string>
}

type Work = NonNullable<Task['work']>
export type ImportMachine = Extract<Work, { $case: 'importMachine' }>['value']

/**
 * One-shot work on a virtual machine. Everything may be asked again after a crash: the driver goes on
 * with what it has.
 * @returns undefined for work that is not about machines
 * @throws {DriverError}
 */
export async function runMachineTask(
  options: MachineTasksOptions,
  { work, serverId }: Task,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Done | undefined> {
  const { machines } = options
  const nothing: Done = { output: undefined }
  switch (work?.$case) {
    case 'createSnapshot': {
      const { snapshotId } = work.value
      const made = await machines.createSnapshot(serverId, snapshotId, onProgress, signal)
      return { output: { $case: 'snapshots', value: { snapshots: [wireSnapshot(made)] } } }
    }
    case 'restoreSnapshot':
      await machines.restoreSnapshot(serverId, work.value.snapshotId, onProgress, signal)
      return nothing
    case 'deleteSnapshot':
      await machines.deleteSnapshot(serverId, work.value.snapshotId)
      return nothing
    case 'listSnapshots': {
      const snapshots = (await machines.listSnapshots(serverId)).map(wireSnapshot)
      return { output: { $case: 'snapshots', value: { snapshots } } }
    }
    case 'cacheMedium':
      await machines.cacheMedium(document(MediumRef, work.value.medium), onProgress, signal)
      return nothing
    case 'dropMedium':
      await machines.dropMedium(work.value.sha256)
      return nothing
    case 'exportMachine': {
      const manifest = await machines.exportManifest(serverId, onProgress, signal)
      const text = JSON.stringify(MachineManifest.parse(manifest))
      return { output: { $case: 'machineManifest', value: { document: text } } }
    }
    case 'importMachine':
      await options.importMachine(serverId, work.value, onProgress, signal)
      return nothing
    case 'discardMachine':
      await options.discard(serverId, work.value.placementGeneration)
      return nothing
    case 'takeScreenshot': {
      const image = Buffer.from(await machines.screenshot(serverId, signal))
      return { output: { $case: 'screenshot', value: { image } } }
    }
    case 'checkVirtualization': {
      const report = await options.checkVirtualization()
      return { output: { $case: 'virtualization', value: { report } } }
    }
    case 'measureMachine': {
      const { disks, snapshotBytes, otherBytes } = await machines.space(serverId)
      const value = { disks: disks.map((disk) => ({ ...disk })), snapshotBytes, otherBytes }
      return { output: { $case: 'machineSpace', value } }
    }
    default:
      return undefined
  }
}

/** @throws {DriverError} `invalid_spec` for a text that is not such a document */
export function document<T>(schema: z.ZodType<T>, text: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.join('.') || 'it'
  throw new DriverError(
    'invalid_spec',
    `The node cannot use this document: ${where}: ${issue?.message}`,
  )
}

const wireSnapshot = ({ snapshotId, createdAt, sizeBytes, diskMb, has }: SnapshotInfo) => ({
  snapshotId,
  createdAt,
  sizeBytes,
  diskMb,
  hasFirmware: has.firmware,
  hasTpm: has.tpm,
})
