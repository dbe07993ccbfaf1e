import { mkdir, open, rm, rmdir, stat, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { failureOf, isCrowded, machineFull, ProgramFailed } from './disk-programs.ts'
import type { ServerPaths } from './layout.ts'
import { isMountPoint } from './mounts.ts'
import { forgetResize, lengthen, resizeImage, takeBackResize } from './resize-image.ts'

/**
 * A data folder on its own file system, stored in a sparse file: the kernel enforces the limit with
 * ENOSPC, and no folder has to be walked to measure it.
 */

const MIB = 1024 * 1024
/** A file system leaves out its last block group where that is too small to hold its own tables. */
const UNUSED_TAIL_BYTES = 8 * MIB
const CLOSE_WITHIN_MS = 4_000
const EXT4_MAGIC = 0xef53
const MOUNT_OPTIONS = 'loop,noatime,nosuid,nodev,noinit_itable,discard'

/** File size for a limit, with room for ext4's own metadata and journal. */
export function imageBytes(diskMb: number): number {
  return (Math.ceil(diskMb * 1.018) + 10) * MIB
}

/** Creates and mounts the disk. Throws `ProgramFailed` when this machine cannot. */
export const createLoopDisk = (paths: ServerPaths, diskMb: number): Promise<void> =>
  makeLoopDisk(paths, imageBytes(diskMb))

/** The same with an image of exactly this size. */
export async function makeLoopDisk(paths: ServerPaths, sizeBytes: number): Promise<void> {
  const fresh = `${paths.diskImage}.new`
  let made = fresh
  try {
    await formatImage(fresh, sizeBytes)
    await mkdir(paths.data, { recursive: true })
    await forgetResize(paths.diskImage)
    await must('mv', ['--', fresh, paths.diskImage])
    made = paths.diskImage
    await mountLoopDisk(paths)
  } catch (error) {
    // What a full disk does to a file system in one of its files has other names.
    const isFull = error instanceof ProgramFailed && (await isCrowded(paths.home))
    await rm(made, { force: true })
    throw isFull ? machineFull(error) : error
  }
}

async function formatImage(image: string, sizeBytes: number): Promise<void> {
  await rm(image, { force: true })
  await writeFile(image, '', { mode: 0o600 })
  await truncate(image, sizeBytes)
  await must('mkfs.ext4', [
    '-q',
    '-F',
    '-m',
    '0',
    '-b',
    '4096',
    '-i',
    '16384',
    '-J',
    'size=8',
    '-E',
    'lazy_itable_init=1,lazy_journal_init=1,nodiscard',
    image,
  ])
}

/** Mounts the disk, for example after a reboot. Does nothing when it is mounted. */
export async function mountLoopDisk(paths: ServerPaths): Promise<void> {
  if (await isMountPoint(paths.data)) return
  await takeBackResize(paths.diskImage)
  await must('mount', ['-o', MOUNT_OPTIONS, '--', paths.diskImage, paths.data])
  // Of no use while it is empty; whoever checks the file system makes it anew.
  await rmdir(join(paths.data, 'lost+found')).catch(() => {})
}

/** Unmounts the disk before its removal, lazily if a file is still open; once for concurrent removals. */
export async function dropLoopDisk(paths: ServerPaths): Promise<void> {
  if (!(await isMountPoint(paths.data))) return
  const { code } = await runProgram('umount', ['--', paths.data])
  if (code === 0) return
  const lazily = await runProgram('umount', ['--lazy', '--', paths.data], { deadlineMs: 60_000 })
  // It also fails when another removal was faster.
  if (lazily.code !== 0 && (await isMountPoint(paths.data)))
    throw new Error(`umount failed: ${lazily.output.trim()}`)
}

/** Returns false when the disk is still open or mounted elsewhere and must not be modified. */
async function unmountForChange(paths: ServerPaths): Promise<boolean> {
  if (await isMountPoint(paths.data)) {
    if ((await runProgram('umount', ['--', paths.data])).code !== 0) return false
  }
  return (await deviceOf(paths.diskImage)) === null
}

/**
 * Resizes the disk. Returns `restart` when that requires the server to be stopped. Throws
 * `disk_full` when the data exceeds the new limit. The file system says whether that is done: the
 * image may have grown before the agent was killed, and a longer one does no harm.
 */
export async function resizeLoopDisk(
  paths: ServerPaths,
  diskMb: number,
  running: boolean,
  letGo: () => Promise<void>,
): Promise<'done' | 'restart'> {
  const wanted = imageBytes(diskMb)
  const present = await fileSystemBytes(paths.diskImage)
  const isFilled = present <= wanted && wanted - present < UNUSED_TAIL_BYTES
  if (isFilled && (await stat(paths.diskImage)).size >= wanted) return 'done'
  if (running) {
    if (wanted < present) return 'restart'
    return (await growMounted(paths, wanted)) ? 'done' : 'restart'
  }
  // It needs no room on the machine, unlike a change that can be taken back.
  if (wanted > present && (await growMounted(paths, wanted))) return 'done'
  await letGo()
  if (!(await unmountForChange(paths))) {
    await mountLoopDisk(paths)
    return 'restart'
  }
  try {
    await resizeImage(paths.diskImage, wanted, diskMb)
  } finally {
    await mountLoopDisk(paths)
  }
  return 'done'
}

/** Used bytes, as the customer's programs see them. */
export async function usedOnDisk(folder: string): Promise<number> {
  const figures = await statfs(folder)
  return (figures.blocks - figures.bfree) * figures.bsize
}

/**
 * Growing a mounted ext4 requires CAP_SYS_RESOURCE, which an agent may lack. Where it fails, the
 * image stays longer: the file system may have grown nevertheless, and would lose what it stores
 * there.
 */
async function growMounted(paths: ServerPaths, wanted: number): Promise<boolean> {
  const device = await deviceOf(paths.diskImage)
  if (device === null) return false
  await lengthen(paths.diskImage, wanted)
  const steps = [
    ['losetup', '-c', device],
    ['resize2fs', device],
  ] as const
  for (const [file, ...args] of steps) {
    const { code } = await runProgram(file, args, { deadlineMs: 60_000 })
    if (code !== 0) return false
  }
  return true
}

/**
 * The size of the ext4 in an image, from its superblock. One that has just grown while it was
 * mounted may show there only moments later; growing it once more does nothing.
 */
export async function fileSystemBytes(image: string): Promise<number> {
  const file = await open(image, 'r')
  try {
    const superblock = Buffer.alloc(1024)
    await file.read(superblock, 0, superblock.length, 1024)
    if (superblock.readUInt16LE(0x38) !== EXT4_MAGIC) throw new Error(`${image} has no ext4`)
    const blocks = superblock.readUInt32LE(0x150) * 2 ** 32 + superblock.readUInt32LE(0x4)
    return blocks * 2 ** (10 + superblock.readUInt32LE(0x18))
  } finally {
    await file.close()
  }
}

/**
 * Unmounts the disk for good, so that its image may be renamed.
 * @returns false while a file on it is still open
 */
export async function closeLoopDisk(paths: ServerPaths): Promise<boolean> {
  await runProgram('sync', ['-f', '--', paths.data], { deadlineMs: 600_000 })
  const begun = performance.now()
  for (
    let waitMs = 5;
    performance.now() - begun < CLOSE_WITHIN_MS;
    waitMs = Math.min(2 * waitMs, 100)
  ) {
    if (await isMountPoint(paths.data)) await runProgram('umount', ['--', paths.data])
    const isOpen = (await isMountPoint(paths.data)) || (await deviceOf(paths.diskImage)) !== null
    if (!isOpen) return true
    // The kernel gives the device back a moment after the last user of the disk has gone.
    await delay(waitMs)
  }
  return false
}

async function deviceOf(image: string): Promise<string | null> {
  const { output } = await runProgram('losetup', ['-n', '-O', 'NAME', '-j', image])
  const first = output.split('\n')[0]?.trim()
  return first?.startsWith('/dev/') ? first : null
}

async function must(file: string, args: readonly string[]): Promise<void> {
  const result = await runProgram(file, args, { deadlineMs: 60_000 })
  if (result.code !== 0) throw failureOf(file, result)
}
