import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { OnProgress } from '@lodge/driver/driver.ts'
import { syncPath, writeWhole } from '../data/files.ts'
import type { MachinePaths } from '../data/layout.ts'
import { imageOf } from '../disks/image-disks.ts'
import { disksOf } from '../disks/of-machine.ts'
import { diskName, diskOf, type PartFile } from './parts-of.ts'
import { requireRoom } from './room.ts'

const folderIn = ({ home }: MachinePaths) => join(home, 'leaving')
/** Written last: which images have been copied, of which size. */
const recordIn = (paths: MachinePaths) => join(folderIn(paths), 'images.json')

/**
 * What another node is sent of a machine: files of the same form wherever its disks are. Images are copied
 * to files for that, which stay the same until the machine starts or a disk becomes another one, so that
 * a transfer which was cut off goes on.
 */
export async function filesToSend(
  paths: MachinePaths,
  parts: readonly PartFile[],
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<readonly PartFile[]> {
  if (paths.pool === null) return parts
  const disks = disksOf(paths)
  const images = []
  for (const { part, path } of parts)
    if (part === 'disk') images.push([await imageOf(path), await disks.sizeBytes(path)])
  const before = await readFile(recordIn(paths), 'utf8').then(JSON.parse, () => null)
  if (!isDeepStrictEqual(before, images)) {
    await forgetSent(paths)
    await requireRoom(paths, parts, false)
    await mkdir(folderIn(paths), { mode: 0o700 })
    await copyOutAll(paths, parts, onProgress, signal).catch(async (error: unknown) => {
      await forgetSent(paths)
      throw error
    })
    await writeWhole(recordIn(paths), JSON.stringify(images))
  }
  return sentFiles(paths, parts)
}

async function copyOutAll(
  paths: MachinePaths,
  parts: readonly PartFile[],
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  for (const file of parts) {
    if (file.part !== 'disk') continue
    const { name, path } = sent(paths, file)
    const tell = (percent: number) =>
      onProgress({ step: 'copy', percent, detail: `Copying ${name}` })
    await disksOf(paths).copyOut(file.path, path, tell, signal)
    await syncPath(path)
  }
  // The record must never survive a power cut that the copies do not.
  await syncPath(folderIn(paths))
}

/** The same once they are there. */
export const sentFiles = (paths: MachinePaths, parts: readonly PartFile[]): readonly PartFile[] =>
  paths.pool === null ? parts : parts.map((one) => (one.part === 'disk' ? sent(paths, one) : one))

/** Before the disks change. */
export const forgetSent = (paths: MachinePaths): Promise<void> =>
  rm(folderIn(paths), { recursive: true, force: true })

function sent(paths: MachinePaths, file: PartFile): PartFile {
  const name = diskName(diskOf(file))
  return { name, part: file.part, path: join(folderIn(paths), name) }
}
