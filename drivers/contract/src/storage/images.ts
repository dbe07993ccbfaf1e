import { RbdLocks, RbdSnapshots } from '@lodge/shared/rbd-output.ts'
import { DriverError } from '../driver.ts'
import { askRbd, RBD, type RbdPool, rbdFailure, runRbd } from './rbd.ts'

const COPY_MS = 6 * 3600 * 1000

/** What the names of all images of a server on a storage begin with, and of no others. */
export const imagePrefix = (storageId: string, serverId: string): string =>
  `${storageId.slice(0, 8)}.${serverId}.`

/**
 * Runs `rbd`, for as long as a copy may take where it can be aborted.
 * @param accepted what it may end with besides 0
 * @throws {DriverError} as `rbdFailure`
 */
export async function mustRbd(
  pool: RbdPool,
  args: readonly string[],
  signal?: AbortSignal,
  ...accepted: number[]
): Promise<number | null> {
  const result = await runRbd(pool, args, signal ? { signal, deadlineMs: COPY_MS } : {})
  const { code } = result
  if (code !== 0 && !(code !== null && accepted.includes(code))) throw rbdFailure(pool, result)
  return code
}

/** The images whose names begin so. */
export async function imagesIn(pool: RbdPool, prefix: string): Promise<string[]> {
  const images: string[] = []
  const onLine = (line: string) => {
    if (line.startsWith(prefix)) images.push(line)
  }
  const result = await runRbd(pool, ['ls', pool.pool], { onLine })
  if (result.code !== 0) throw rbdFailure(pool, result)
  return images
}

/** A node that was lost cannot give up its lock: Ceph lets it write no more. */
export async function breakLocks(pool: RbdPool, image: string): Promise<void> {
  const spec = `${pool.pool}/${image}`
  const found = await askRbd(pool, ['lock', 'ls', spec])
  for (const { id, locker } of found === undefined ? [] : RbdLocks.parse(found))
    await mustRbd(pool, ['lock', 'rm', spec, id, locker], undefined, RBD.absent)
}

/**
 * Deletes images, copies before what they are copies of.
 * @param deadlineMs how long each may take, which grows with its size; a minute by default
 * @returns what others still need
 */
export async function removeImages(
  pool: RbdPool,
  images: readonly string[],
  deadlineMs?: number,
): Promise<readonly string[]> {
  let left = images
  for (;;) {
    const still: string[] = []
    for (const image of left) if (!(await removeImage(pool, image, deadlineMs))) still.push(image)
    if (still.length === 0 || still.length === left.length) return still
    left = still
  }
}

/**
 * Deletes every image of a server, before its folder goes.
 * @throws {DriverError} storage_away: some are still open
 */
export async function removeImagesOf(pool: RbdPool, prefix: string): Promise<void> {
  const left = await removeImages(pool, await imagesIn(pool, prefix), COPY_MS)
  if (left.length > 0)
    throw new DriverError(
      'storage_away',
      `${left.length} images of the machine are still open somewhere. It is tried again`,
      { retryable: true },
    )
}

/** Whether it is gone; not while others need it. */
async function removeImage(pool: RbdPool, image: string, deadlineMs?: number): Promise<boolean> {
  const spec = `${pool.pool}/${image}`
  const moments = await askRbd(pool, ['snap', 'ls', '--all', spec])
  if (moments === undefined) return true
  const found = RbdSnapshots.parse(moments)
  if (found.some(({ namespace }) => namespace.type === 'trash')) return false
  const unless = [RBD.absent, RBD.busy, RBD.hasClones] as const
  // Those that somebody has made, or a copy that was killed.
  if (found.length > 0)
    await mustRbd(pool, ['snap', 'purge', '--no-progress', spec], undefined, ...unless)
  await breakLocks(pool, image)
  const args = ['rm', '--no-progress', spec]
  const result = await runRbd(pool, args, deadlineMs === undefined ? {} : { deadlineMs })
  if (result.code === 0 || result.code === RBD.absent) return true
  if (unless.some((code) => code === result.code)) return false
  throw rbdFailure(pool, result)
}
