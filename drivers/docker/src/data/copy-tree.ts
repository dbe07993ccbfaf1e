import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import { sandboxed } from '@lodge/driver/sandbox.ts'
import { watchGrowth } from '@lodge/shared/local/watch-growth.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { bytesTold, COPYING_RIGHTS, isFull, RESERVE_BYTES } from './copying.ts'
import { giveAll } from './exchange.ts'

const DEADLINE_MS = 20 * 3_600_000
/** Smaller files stay cached: to read them anew takes longer than it is worth while a server is off. */
const UNCACHED_ABOVE = '+64k'
/** Modes that are given at once. */
const AT_ONCE = 500
/** What `diff` says of sockets and pipes, which have no content. */
const NO_CONTENT = /^File .* is an? ([\w ]+) while file .* is an? \1$/

/** What `cp` says of file capabilities, which do not come along because no server may use them. */
const NOT_CARRIED = /^cp: setting attribute 'security\./

/**
 * Copies the data of a stopped server into an empty folder, and compares both. The programs see these two
 * folders only, so whatever symbolic links are in them, they lead nowhere else.
 */
export async function copyTree(given: {
  readonly from: string
  readonly to: string
  /** The user who gets all of it; null if everything belongs to whom it belonged. */
  readonly owner: number | null
  /** What stays free beside the copy; a disk of its own size needs nothing. */
  readonly ownDisk: boolean
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}): Promise<void> {
  const { from, to, owner, ownDisk, onProgress, signal } = given
  const run = (program: string, args: readonly string[], onLine?: (line: string) => void) => {
    const [file, all] = sandboxed(program, args, {
      shown: [
        { folder: from, at: '/from' },
        { folder: to, at: '/to', writable: true },
      ],
      rights: COPYING_RIGHTS,
    })
    return runProgram(file, all, { signal, deadlineMs: DEADLINE_MS, ...(onLine && { onLine }) })
  }
  const sizeOf = async (folder: '/from' | '/to') => {
    const { output } = await run('/usr/bin/du', ['-sB1', '--', folder])
    return bytesTold(output)
  }
  const total = await sizeOf('/from')
  const { bavail, bsize } = await statfs(to)
  const free = bavail * bsize
  if (!ownDisk && free < total + RESERVE_BYTES)
    throw new DriverError(
      'disk_full',
      `There is no room for its files there: ${formatBytes(total + RESERVE_BYTES)} have to be free, and ${formatBytes(free)} are.`,
    )
  const watch = watchGrowth(to, (grown) => {
    const done = grown === null ? null : Math.min(grown, total)
    const percent = done === null || total === 0 ? null : (done / total) * 90
    const bytes = done === null ? {} : { bytes: { done, total } }
    onProgress({ step: 'copy', percent, detail: 'Copying the files', ...bytes })
  })
  try {
    let notCarried = 0
    let refused: string | undefined
    const copied = await run(
      '/usr/bin/cp',
      // Named apart, extended attributes that cannot be kept are a failure.
      ['-a', '--preserve=xattr', '--reflink=auto', '--sparse=auto', '-T', '--', '/from', '/to'],
      (line) => {
        if (NOT_CARRIED.test(line)) notCarried += 1
        else refused ??= line
      },
    )
    const isCopied = copied.code === 0 || (copied.code === 1 && notCarried > 0 && !refused)
    if (!isCopied) throw failureOf(refused ?? copied.output)
  } finally {
    watch.stop()
  }
  if (owner !== null) {
    await giveAll(to, owner, signal, notGiven)
    await giveModes(run)
  }
  await runProgram('sync', ['-f', '--', to], { signal, deadlineMs: 3_600_000 })
  await forgetCached(to, signal)
  onProgress({ step: 'verify', percent: 90, detail: 'Comparing the files' })
  const different: string[] = []
  const compared = await run(
    '/usr/bin/diff',
    ['-r', '--brief', '--no-dereference', '--', '/from', '/to'],
    (line) => NO_CONTENT.test(line) || different.push(line),
  )
  const damaged = (cause: string | undefined) =>
    new DriverError(
      'copy_damaged',
      'The copy of its files is not what was copied. Nothing was changed.',
      { cause },
    )
  if (compared.code === null || compared.code > 1 || different.length > 0)
    throw damaged(different[0] ?? compared.output)
  if ((await looksOf(run, '/from', owner)) !== (await looksOf(run, '/to', null)))
    throw damaged('owners, modes, links or times differ')
}

const notGiven = (cause: string) =>
  new DriverError('copy_damaged', 'The files could not be given to the server.', { cause })

type Run = (
  program: string,
  args: readonly string[],
  onLine?: (line: string) => void,
) => Promise<ProgramResult>

/**
 * A new owner costs files the bits that let them run as their owner: they get them again.
 */
async function giveModes(run: Run): Promise<void> {
  const byMode = new Map<string, string[]>()
  const listed = await run(
    '/usr/bin/find',
    ['/from', '-type', 'f', '-perm', '/7000', '-not', '-name', '*\n*', '-printf', '%m /to/%P\\n'],
    (line) => {
      const at = line.indexOf(' ')
      const mode = line.slice(0, at)
      byMode.set(mode, [...(byMode.get(mode) ?? []), line.slice(at + 1)])
    },
  )
  if (listed.code !== 0) throw failureOf(listed.output)
  for (const [mode, files] of byMode)
    for (let at = 0; at < files.length; at += AT_ONCE) {
      const given = await run('/usr/bin/chmod', [mode, '--', ...files.slice(at, at + AT_ONCE)])
      if (given.code !== 0) throw failureOf(given.output)
    }
}

/**
 * Has the kernel forget what it has cached of the copy, so that the comparison reads what is on the
 * storage. Nobody else can reach these files, so no path leads elsewhere meanwhile.
 */
async function forgetCached(to: string, signal: AbortSignal): Promise<void> {
  const { code, output } = await runProgram(
    'find',
    [
      ...[to, '-type', 'f', '-size', UNCACHED_ABOVE],
      ...['-not', '-exec', 'dd', 'if={}', 'iflag=nocache,nofollow', 'count=0', 'status=none', ';'],
      ...['-print', '-quit'],
    ],
    { signal, deadlineMs: DEADLINE_MS },
  )
  // It names the first file that `dd` has failed on.
  if (code !== 0 || output !== '') throw failureOf(output)
}

const COMMON = '%P %y %m %U %G %Ts'

/**
 * Owners, modes, times, kinds and links of everything in a folder, in whatever order it is listed.
 * @param owner instead of those who own it
 */
async function looksOf(run: Run, folder: string, owner: number | null): Promise<string> {
  const common = owner === null ? COMMON : COMMON.replace('%U %G', `${owner} ${owner}`)
  let sum = 0n
  const listed = await run(
    '/usr/bin/find',
    [
      ...[folder, '(', '-type', 'd', '-printf', `${common}\\n`, ')', '-o'],
      ...['-printf', `${common} %n %l\\n`],
    ],
    (line) => {
      sum += BigInt(`0x${createHash('sha256').update(line).digest('hex')}`)
    },
  )
  if (listed.code !== 0) throw failureOf(listed.output)
  return `${sum}`
}

function failureOf(output: string): DriverError {
  if (isFull(output))
    return new DriverError('disk_full', 'There is no room for its files there.', { cause: output })
  if (/operation not supported/i.test(output))
    return new DriverError(
      'unsupported',
      'Its files have access lists or extended attributes, which that storage cannot keep. Nothing was changed.',
      { cause: output },
    )
  return new DriverError('copy_damaged', 'Its files could not be copied. Nothing was changed.', {
    cause: output,
  })
}
