import { rm, writeFile } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { RbdPool } from '@lodge/driver/storage/rbd.ts'
import type { DiskLocation } from './disks.ts'

/** Resource limits for a program that parses untrusted images. */
const MOST_MEMORY_BYTES = 4 * 1024 ** 3
const DEADLINE_MS = 6 * 3600 * 1000
const MIB = 1024 * 1024

async function qemuImg(
  args: readonly string[],
  signal?: AbortSignal,
  onPercent?: (percent: number) => void,
): Promise<void> {
  const { code, output } = await runProgram(
    'prlimit',
    [`--as=${MOST_MEMORY_BYTES}`, '--core=0', '--', 'qemu-img', ...args],
    {
      deadlineMs: DEADLINE_MS,
      ...(signal && { signal }),
      ...(onPercent && {
        onLine: (line) => {
          const percent = /\((\d+(?:\.\d+)?)\/100%\)/.exec(line)?.[1]
          if (percent !== undefined) onPercent(Number(percent))
        },
      }),
    },
  )
  if (code === 0) return
  const why = output.trim().split('\n').at(-1) ?? ''
  if (/Unknown protocol 'rbd'/.test(output))
    throw new DriverError(
      'unsupported',
      'QEMU on this node cannot open RBD images: install qemu-block-extra.',
    )
  if (/no space left/i.test(output))
    throw new DriverError('disk_full', 'The disk of this machine is full.', { retryable: true })
  throw new DriverError('install_failed', `qemu-img ended with ${code}: ${why}`)
}

/** Creates an empty disk, readable by its owner only. */
export async function createDisk(path: string, sizeMb: number): Promise<void> {
  await makeClosed(path)
  await qemuImg(['create', '-q', '-f', 'qcow2', '-o', 'lazy_refcounts=on', path, `${sizeMb}M`])
}

/** Grows the disk of a stopped machine. */
export function growDisk(path: string, sizeMb: number): Promise<void> {
  return qemuImg(['resize', '-q', '-f', 'qcow2', path, String(sizeMb * MIB)])
}

/** qemu-img keeps the mode of an existing file but creates new ones world-readable. */
async function makeClosed(path: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, '', { mode: 0o600 })
}

/**
 * Converts an image of a known format to a standalone qcow2 file, readable by its owner only and
 * sparse.
 */
export async function copyImage(
  from: string,
  format: 'qcow2' | 'raw',
  to: string,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = ['-O', 'qcow2', '-S', '64k', '-o', 'lazy_refcounts=on']
  await makeClosed(to)
  await qemuImg(['convert', '-p', '-f', format, ...options, from, to], signal, onPercent)
}

/** How QEMU's own programs name an image in a pool. */
export const locationOf = ({ pool, user, configFile }: RbdPool, image: string): string =>
  `rbd:${pool}/${image}:id=${user}:conf=${configFile}`

/** Makes an image in a pool of one in a file. */
export function copyToImage(
  pool: RbdPool,
  from: string,
  format: 'qcow2' | 'raw',
  image: string,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const to = locationOf(pool, image)
  // Without the cache, an image is complete when this has succeeded: a late failure to write is seen.
  const uncached = ['-t', 'none']
  const args = ['convert', '-p', ...uncached, '-f', format, '-O', 'raw', from, to]
  return qemuImg(args, signal, onPercent)
}

/**
 * Compares what two disks hold.
 * @throws {DriverError} copy_damaged
 */
export async function requireSame(
  one: DiskLocation,
  other: DiskLocation,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const formats = ['-f', one.format, '-F', other.format]
  try {
    await qemuImg(['compare', '-p', ...formats, one.name, other.name], signal, onPercent)
  } catch (error) {
    signal.throwIfAborted()
    throw new DriverError(
      'copy_damaged',
      'The copy of a disk is not what was copied. Nothing was changed.',
      { cause: error },
    )
  }
}

/** Like `copyImage`, from an image in a pool. */
export async function copyFromImage(
  pool: RbdPool,
  image: string,
  to: string,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await copyImage(locationOf(pool, image), 'raw', to, onPercent, signal)
}
