import { constants, copyFile, rm } from 'node:fs/promises'
import { copyImage } from '../disks/qemu-img.ts'
import { syncPath } from '../files.ts'
import type { PartFile } from './parts-of.ts'

/**
 * Copies a file of a machine: without taking room where the file system shares blocks; a disk otherwise
 * without what is empty in it. The copy is on the disk when this returns.
 */
export async function copyPart(
  { part, path }: PartFile,
  to: string,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await rm(to, { force: true })
  signal.throwIfAborted()
  const shared = await copyFile(path, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  )
  if (!shared && part === 'disk') {
    await rm(to, { force: true })
    await copyImage(path, 'qcow2', to, onPercent, signal)
  } else if (!shared) await copyFile(path, to)
  await syncPath(to)
}
