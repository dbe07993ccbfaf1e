import { rename, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { isFull } from './copying.ts'
import { failureOf, isCrowded, machineFull } from './disk-programs.ts'

/**
 * Changes the size of an ext4 in an image that is not mounted. Shrinking moves files about, and a
 * file system is lost that is opened halfway. So a file beside the image keeps what is overwritten,
 * and whoever opens the image next takes back what was not completed. That is for a kill, of the
 * agent or of the program; after a power cut e2fsprogs promises nothing.
 */

/** There while the size is being changed. */
const undoOf = (image: string) => `${image}.undo`
/** The same file, once taking back has begun: the image may look sound before it is. */
const takingBackOf = (image: string) => `${image}.undo-begun`
/** Room for taking back what a full disk has ended: that may write blocks which the image lacks. */
const reserveOf = (image: string) => `${image}.undo-reserve`
const RESERVE_BYTES = 1024 * 1024
const BLOCK = 4096
/** The tables of a file system, which also change, are no more than this share of it. */
const TABLES_SHARE = 32
const TABLES_LEAST_BYTES = 8 * 1024 * 1024
/** The exit code of a lock that another program has. */
const BUSY = 75

/**
 * Throws `disk_full` when the files need more than the new size. Call `takeBackResize` when this
 * throws.
 */
export async function resizeImage(image: string, sizeBytes: number, diskMb: number): Promise<void> {
  const undo = undoOf(image)
  await writeFile(undo, '', { mode: 0o600 })
  try {
    await writeFile(reserveOf(image), Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
    await check(image, '-p')
    await takeRoom(image, sizeBytes)
    await lengthen(image, sizeBytes)
  } catch (error) {
    await forgetResize(image)
    throw error
  }
  const blocks = `${Math.floor(sizeBytes / BLOCK)}`
  const result = await onImage(image, 'resize2fs', ['-z', undo, image, blocks])
  if (result.code !== 0) {
    const { output } = result
    // It says so for the file system and for the disk that has the image alike.
    const isRoomless = isFull(output) && (await isCrowded(dirname(image)))
    if (isRoomless) throw machineFull(output)
    if (isFull(output) || /smaller than minimum|not enough space/i.test(output))
      throw new DriverError(
        'disk_full',
        `More than ${diskMb} MiB are stored; delete something first.`,
        { cause: output },
      )
    throw failureOf('resize2fs', result)
  }
  await truncate(image, sizeBytes)
  await forgetResize(image)
}

/**
 * Takes room for the file, since one that ends in the middle is of no use, and requires as much for
 * the image: what moves was not written there before.
 */
async function takeRoom(image: string, sizeBytes: number): Promise<void> {
  const movedBytes = await bytesBeyond(image, sizeBytes)
  const { size } = await stat(image)
  const length = Math.ceil(movedBytes + size / TABLES_SHARE + TABLES_LEAST_BYTES)
  const args = ['--keep-size', '--length', String(length), undoOf(image)]
  const taken = await runProgram('fallocate', args, { deadlineMs: 600_000 })
  // Some file systems cannot keep room for a file.
  const { bavail, bsize } = await statfs(dirname(image))
  if (isFull(taken.output) || bavail * bsize < movedBytes) throw machineFull(taken.output)
}

/** How much of what an ext4 stores lies where a shorter one ends, in whole groups of blocks. */
async function bytesBeyond(image: string, sizeBytes: number): Promise<number> {
  let [bytes, groupBlocks] = [0, 0]
  const onLine = (line: string) => {
    const [, first, last] = /^Group \d+: \(Blocks (\d+)-(\d+)\)/.exec(line) ?? []
    if (last !== undefined)
      groupBlocks = (Number(last) + 1) * BLOCK > sizeBytes ? Number(last) + 1 - Number(first) : 0
    const [, free] = /^ +(\d+) free blocks, /.exec(line) ?? []
    if (free !== undefined && groupBlocks > 0) bytes += (groupBlocks - Number(free)) * BLOCK
  }
  const result = await runProgram('dumpe2fs', [image], { deadlineMs: 600_000, onLine })
  if (result.code !== 0) throw failureOf('dumpe2fs', result)
  return bytes
}

/** Takes back a change of the size that was not completed. Called before anything mounts the image. */
export async function takeBackResize(image: string): Promise<void> {
  const [undo, takingBack] = [undoOf(image), takingBackOf(image)]
  const hasBegun = await exists(takingBack)
  if (!hasBegun && !(await exists(undo))) return
  // What an agent started that was killed may still be at it.
  await onImage(image, 'true', [])
  const isDue = hasBegun || !(await isSound(image))
  if (isDue) {
    if (!hasBegun) await rename(undo, takingBack)
    await rm(reserveOf(image), { force: true })
    const result = await onImage(image, 'e2undo', ['-f', takingBack, image])
    // What cannot be read of it will not come back, but what cannot be written may fit later.
    const isStuck = result.code === null || /while writing block/.test(result.output)
    if (isStuck) throw failureOf('e2undo', result)
    // Mends what a power cut has left, when the file itself is not whole.
    await check(image, '-y')
  }
  await forgetResize(image)
}

/** Deletes what a change of the size keeps beside an image. */
export async function forgetResize(image: string): Promise<void> {
  for (const file of [reserveOf(image), takingBackOf(image), undoOf(image)])
    await rm(file, { force: true })
}

export async function lengthen(image: string, sizeBytes: number): Promise<void> {
  if ((await stat(image)).size < sizeBytes) await truncate(image, sizeBytes)
}

/** resize2fs marks the file system as faulty before its first change, and as sound with its last. */
async function isSound(image: string): Promise<boolean> {
  const { code, output } = await runProgram('dumpe2fs', ['-h', image])
  return code === 0 && /^Filesystem state: +clean$/m.test(output) && !/e2fsck now/i.test(output)
}

async function check(image: string, how: '-p' | '-y'): Promise<void> {
  const result = await onImage(image, 'e2fsck', ['-f', how, image])
  // Up to 2 it has mended everything.
  if (result.code === null || result.code > 2) throw failureOf('e2fsck', result)
}

/**
 * Runs a program that changes an image, alone: the kernel keeps the lock of the file as long as the
 * program runs, even without the agent. It takes as long as it takes.
 */
async function onImage(
  image: string,
  file: string,
  args: readonly string[],
): Promise<ProgramResult> {
  const lock = ['--nonblock', '--conflict-exit-code', String(BUSY), '--no-fork', image]
  const result = await runProgram('flock', [...lock, file, ...args], { deadlineMs: null })
  if (result.code === BUSY)
    throw new DriverError('not_stopped', 'The disk of the server is still being resized.', {
      retryable: true,
    })
  return result
}
