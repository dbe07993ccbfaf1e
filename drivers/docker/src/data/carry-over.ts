import { statfs } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { sandboxed } from '@lodge/driver/sandbox.ts'
import { HIDDEN_FOLDER } from '@lodge/shared/files.ts'
import { ignoredExpression } from '@lodge/shared/ignored-files.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { bytesTold, COPYING_RIGHTS, isFull } from './copying.ts'

const DEADLINE_MS = 4 * 3_600_000

/**
 * Copies what a backup left out on purpose from a stopped server's data into the data that was
 * restored from it, at the same paths. The programs see these two folders only, so whatever symbolic
 * links are in them, they lead nowhere else. Can be repeated.
 */
export async function carryOver(given: {
  readonly from: string
  readonly to: string
  readonly patterns: readonly string[]
  /** What stays free where `to` is. */
  readonly reserveBytes: number
  readonly signal: AbortSignal
}): Promise<void> {
  const { from, to, patterns, reserveBytes, signal } = given
  if (patterns.length === 0) return
  const matching = ['/data', '-mindepth', '1', '-regextype', 'posix-extended']
  const found = [
    ...[...matching, '-path', `/data/${HIDDEN_FOLDER}`, '-prune'],
    ...['-o', '-regex', ignoredExpression(patterns, '/data'), '-prune'],
  ]
  const each = async (
    program: string,
    args: readonly string[],
    onLine?: (line: string) => void,
  ) => {
    const [file, all] = sandboxed(
      '/usr/bin/find',
      [...found, '-exec', '/each', ...args, '{}', '+'],
      {
        shown: [
          { folder: from, at: '/data' },
          { folder: to, at: '/restored/data', writable: true },
          { folder: program, at: '/each' },
        ],
        rights: COPYING_RIGHTS,
      },
    )
    return runProgram(file, all, { signal, deadlineMs: DEADLINE_MS, ...(onLine && { onLine }) })
  }
  let neededBytes = 0
  await each('/usr/bin/du', ['-csB1', '--'], (line) => {
    if (line.endsWith('\ttotal')) neededBytes += bytesTold(line)
  })
  const { bavail, bsize } = await statfs(to)
  const freeBytes = bavail * bsize - reserveBytes
  if (neededBytes > freeBytes)
    throw new DriverError(
      'disk_full',
      `What the backup leaves out stays, and needs ${formatBytes(neededBytes)} beside the restored files, where ${formatBytes(Math.max(0, freeBytes))} are left. Nothing was changed: delete some of it first.`,
    )
  const done = await each('/usr/bin/cp', [
    ...['-a', '--parents', '--remove-destination', '--reflink=auto', '--sparse=auto'],
    ...['-t', '/restored', '--'],
  ])
  if (done.code === 0) {
    await runProgram('sync', ['-f', '--', to], { signal, deadlineMs: 600_000 })
    return
  }
  if (isFull(done.output))
    throw new DriverError('disk_full', 'The disk of the server is full.', { cause: done.output })
  throw new DriverError(
    'copy_damaged',
    'What the backup leaves out could not be kept beside the restored files. Nothing was changed.',
    { cause: done.output },
  )
}
