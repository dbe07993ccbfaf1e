import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { sandboxed } from '@lodge/driver/sandbox.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { bytesTold, COPYING_RIGHTS, isFull } from './copying.ts'
import { type Inside, isThere, keepReplaced } from './keep-replaced.ts'

const DEADLINE_MS = 4 * 3_600_000

/** Programs that others may start, each at `/<name>`. */
const STARTED = ['env', 'find', 'cp', 'cmp', 'test']

/**
 * Copies paths of a folder into a server's data while the server may run. The program sees these
 * two folders only, so whatever symbolic links the server makes meanwhile, they lead nowhere else.
 * Files that are there and not in the copy stay. Nothing is copied if there is no room for all.
 * @returns how many files `keep` has
 */
export async function putFiles(given: {
  readonly from: string
  readonly to: string
  /** Absolute within the server. */
  readonly paths: readonly string[]
  /** Folder they are put into, at the same paths; null for their own places. */
  readonly into: string | null
  /** Folder that what is replaced is put into, at the same paths; null: it is gone. */
  readonly keep: string | null
  /** What the limit of the data leaves; null without one. */
  readonly freeBytes: number | null
  readonly signal: AbortSignal
}): Promise<number> {
  const { from, to, paths, into, keep, freeBytes, signal } = given
  const { uid, gid } = await lstat(to)
  const shown = [
    { folder: from, at: '/from' },
    { folder: to, at: '/data', writable: true },
    ...STARTED.map((name) => ({ folder: `/usr/bin/${name}`, at: `/${name}` })),
  ]
  const inside: Inside = async (name, args, onLine) => {
    const [file, all] = sandboxed(`/usr/bin/${name}`, args, { shown, rights: COPYING_RIGHTS })
    return await runProgram(file, all, {
      signal,
      deadlineMs: DEADLINE_MS,
      ...(onLine && { onLine }),
    })
  }
  const makeFolders = async (path: string) => {
    for (const folder of foldersIn(path)) {
      const made = await inside('mkdir', ['-m', '0755', '--', folder])
      if (made.code === 0) await inside('chown', ['-h', `${uid}:${gid}`, '--', folder])
    }
  }
  const prefix = into === null || into === '/' ? '' : into
  const targetOf = (path: string) => join('/data', prefix, path)
  const bytesOf = async (path: string) => {
    const { output } = await inside('du', ['-sB1', '--', path])
    return bytesTold(output)
  }
  // An earlier attempt may have put files in their places already.
  const isRepeat = keep !== null && (await isThere(inside, join('/data', keep)))
  let neededBytes = 0
  for (const path of paths) {
    if (!(await lstat(join(from, path)).catch(() => undefined)))
      throw new DriverError('not_found', `The backup does not contain ${path}.`)
    const coming = await bytesOf(join('/from', path))
    // Files of the same names give way, unless they are kept.
    const going = keep === null || isRepeat ? await bytesOf(targetOf(path)) : 0
    neededBytes += coming - Math.min(coming, going)
  }
  if (freeBytes !== null && neededBytes > freeBytes)
    throw new DriverError(
      'disk_full',
      `The files need ${formatBytes(neededBytes)}, and the disk of the server has ${formatBytes(Math.max(0, freeBytes))} left. Nothing was restored: delete something first.`,
    )
  for (const path of paths) await makeFolders(dirname(targetOf(path)))
  const keeping =
    keep === null ? null : await keepReplaced(inside, { prefix, keep, isRepeat, makeFolders })
  for (const path of paths) {
    const target = targetOf(path)
    // Just before, since a running server goes on writing.
    await keeping?.before(path)
    const done = await inside('cp', [
      '-a',
      '-T',
      '--remove-destination',
      '--sparse=always',
      '--',
      join('/from', path),
      target,
    ])
    if (done.code === 0) continue
    if (isFull(done.output))
      throw new DriverError('disk_full', 'The disk of the server is full.', { cause: done.output })
    throw new DriverError('copy_damaged', `${path} could not be put in its place.`, {
      cause: done.output,
    })
  }
  return (await keeping?.end()) ?? 0
}

/** The folders from below the server's root to this one, from the top. */
function foldersIn(path: string): string[] {
  const folders: string[] = []
  for (let at = path; at !== '/data' && at !== '/'; at = dirname(at)) folders.unshift(at)
  return folders
}
