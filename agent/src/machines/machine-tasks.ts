import type { SnapshotInfo } from '@lodge/driver/capabilities/snapshots.ts'
import { DriverError, type Progress } from '@lodge/driver/driver.ts'
import type { Done, Task } from '@lodge/proto/task.ts'
import { MachineManifest } from '@lodge/shared/machine-copy.ts'
import { MediumRef } from '@lodge/shared/machine-spec.ts'
import type { z } from 'zod'
import type { TellWay } from '../direct/reach.ts'
import type { AnyDriver } from '../drivers.ts'

export interface MachineTasksOptions {
  /** The driver of this server; for an unknown server, the driver of virtual machines. */
  readonly driverOf: (serverId: string) => AnyDriver
  /** The media cache of this node. */
  readonly media: AnyDriver['media']
  /** Absent where no driver can import servers from other nodes. */
  readonly moves: Moves | undefined
  /**
   * Repeats the virtualization checks and returns the report; absent where no driver supports them.
   */
  readonly checkVirtualization: (() => Promise<string>) | undefined
}

export interface Moves {
  /** Creates a machine here from a copy on another node. */
  readonly importMachine: (
    serverId: string,
    work: ImportMachine,
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
    tellWay: TellWay,
  ) => Promise<void>
  /** Removes every trace of a machine that was given to another node. */
  readonly discard: (serverId: string, placementGeneration: number) => Promise<void>
}

type Work = NonNullable<Task['work']>
export type ImportMachine = Extract<Work, { $case: 'importMachine' }>['value']

/**
 * Runs one-shot work that needs a driver capability. Safe to repeat after a crash: drivers resume
 * what they had begun.
 * @returns undefined for other kinds of work
 * @throws {DriverError}
 */
export async function runMachineTask(
  options: MachineTasksOptions,
  { work, serverId }: Task,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
  tellWay: TellWay,
): Promise<Done | undefined> {
  const driver = options.driverOf(serverId)
  const nothing: Done = { output: undefined }
  switch (work?.$case) {
    case 'createSnapshot': {
      const { snapshotId } = work.value
      const made = await able(driver.snapshots).create(serverId, snapshotId, onProgress, signal)
      return { output: { $case: 'snapshots', value: { snapshots: [wireSnapshot(made)] } } }
    }
    case 'restoreSnapshot':
      await able(driver.snapshots).restore(serverId, work.value.snapshotId, onProgress, signal)
      return nothing
    case 'deleteSnapshot':
      await able(driver.snapshots).delete(serverId, work.value.snapshotId)
      return nothing
    case 'listSnapshots': {
      const snapshots = (await able(driver.snapshots).list(serverId)).map(wireSnapshot)
      return { output: { $case: 'snapshots', value: { snapshots } } }
    }
    case 'cacheMedium': {
      const media = able(options.media)
      await media.cache(document(MediumRef, work.value.medium), onProgress, signal)
      return nothing
    }
    case 'dropMedium':
      await able(options.media).drop(work.value.sha256)
      return nothing
    case 'exportMachine': {
      const manifest = await able(driver.transfer).manifest(serverId, onProgress, signal)
      const text = JSON.stringify(MachineManifest.parse(manifest))
      return { output: { $case: 'machineManifest', value: { document: text } } }
    }
    case 'importMachine':
      await able(options.moves).importMachine(serverId, work.value, onProgress, signal, tellWay)
      return nothing
    case 'discardMachine':
      await able(options.moves).discard(serverId, work.value.placementGeneration)
      return nothing
    case 'takeScreenshot': {
      const image = Buffer.from(await able(driver.screen).capture(serverId, signal))
      return { output: { $case: 'screenshot', value: { image } } }
    }
    case 'checkVirtualization': {
      const report = await able(options.checkVirtualization)()
      return { output: { $case: 'virtualization', value: { report } } }
    }
    case 'measureMachine': {
      const measured = await able(driver.diskUsage).measure(serverId)
      const { disks, snapshotBytes, otherBytes } = measured
      const value = { disks: disks.map((disk) => ({ ...disk })), snapshotBytes, otherBytes }
      return { output: { $case: 'machineSpace', value } }
    }
    default:
      return undefined
  }
}

/** @throws {DriverError} `unsupported` where nothing on this node has the capability */
function able<T>(capability: T | undefined): T {
  if (capability !== undefined) return capability
  throw new DriverError('unsupported', 'This node cannot do that with this server.')
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
