import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { sandboxed } from '@lodge/driver/sandbox.ts'
import { formatBytes } from '@lodge/shared/units.ts'

const DEADLINE_MS = 4 * 3_600_000

/**
 * Copies paths of a folder into a server's data while the server may run. The program sees these
 * two folders only, so whatever symbolic links the server makes meanwhile, they lead nowhere else.
 * Files that are there and not in the copy stay. Nothing is copied if there is no room for all.
 */
export async function putFiles(given: {
  readonly from: string
  readonly to: string
  /** Absolute within the server. */
  readonly paths: readonly string[]
  /** Folder they are put into, at the same paths; null for their own places. */
  readonly into: string | null
  /** What the limit of the data leaves; null without one. */
  readonly freeBytes: number | null
  readonly signal: AbortSignal
}): Promise<void> {
  const { from, to, paths, into, freeBytes, signal } = given
  const { uid, gid } = await lstat(to)
  const inside = async (name: string, args: readonly string[]) => {
    const [file, all] = sandboxed(`/bin/${name}`, args, {
      shown: [
        { folder: from, at: '/from' },
        { folder: to, at: '/data', writable: true },
      ],
      rights: ['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID'],
    })
    return await runProgram(file, all, { signal, deadlineMs: DEADLINE_MS })
  }
  const prefix = into === null || into === '/' ? '' : into
  const targetOf = (path: string) => join('/data', prefix, path)
  const bytesOf = async (path: string) => {
    const { output } = await inside('du', ['-sB1', '--', path])
    return Number(/^(\d+)\s/m.exec(output)?.[1] ?? 0)
  }
  let neededBytes = 0
  for (const path of paths) {
    if (!(await lstat(join(from, path)).catch(() => undefined)))
      throw new DriverError('not_found', `The backup does not contain ${path}.`)
    const coming = await bytesOf(join('/from', path))
    // Files of the same names give way.
    neededBytes += coming - Math.min(coming, await bytesOf(targetOf(path)))
  }
  if (freeBytes !== null && neededBytes > freeBytes)
    throw new DriverError(
      'disk_full',
      `The files need ${formatBytes(neededBytes)}, and the disk of the server has ${formatBytes(Math.max(0, freeBytes))} left. Nothing was restored: delete something first.`,
    )
  for (const path of paths) {
    const target = targetOf(path)
    for (const folder of foldersAbove(target)) {
      const made = await inside('mkdir', ['-m', '0755', '--', folder])
      if (made.code === 0) await inside('chown', ['-h', `${uid}:${gid}`, '--', folder])
    }
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
    if (/no space left|quota exceeded/i.test(done.output))
      throw new DriverError('disk_full', 'The disk of the server is full.', { cause: done.output })
    throw new DriverError('copy_damaged', `${path} could not be put in its place.`, {
      cause: done.output,
    })
  }
}

/** The folders between the server's root and a path, from the top. */
function foldersAbove(path: string): string[] {
  const above: string[] = []
  for (let at = dirname(path); at !== '/data' && at !== '/'; at = dirname(at)) above.unshift(at)
  return above
}
