import { createHash } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import { type SandboxOptions, sandboxed } from '@lodge/driver/sandbox.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { giveAll } from './exchange.ts'

const DEADLINE_MS = 20 * 3_600_000
const TELL_MS = 1_000
/** Space that a copy always leaves free. */
const RESERVE_BYTES = 256 * 1024 * 1024
/** Smaller files stay cached: to read them anew takes longer than it is worth while a server is off. */
const UNCACHED_ABOVE = '+64k'
/** Modes that are given at once. */
const AT_ONCE = 500
const RIGHTS: SandboxOptions['rights'] = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
]
/** What `diff` says of sockets and pipes, which have no content. */
const NO_CONTENT = /^File .* is an? ([\w ]+) while file .* is an? \1$/

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
      rights: RIGHTS,
    })
    return runProgram(file, all, { signal, deadlineMs: DEADLINE_MS, ...(onLine && { onLine }) })
  }
  const sizeOf = async (folder: '/from' | '/to') => {
    const { output } = await run('/usr/bin/du', ['-sB1', '--', folder])
    return Number(/^(\d+)\t/m.exec(output)?.[1] ?? 0)
  }
  const total = await sizeOf('/from')
  const { bavail, bsize } = await statfs(to)
  const free = bavail * bsize
  if (!ownDisk && free < total + RESERVE_BYTES)
    throw new DriverError(
      'disk_full',
      `There is no room for its files there: ${formatBytes(total + RESERVE_BYTES)} have to be free, and ${formatBytes(free)} are.`,
    )
  const watch = growth(to, (done) => {
    const percent = total === 0 ? null : Math.min(90, (done / total) * 90)
    const bytes = { done: Math.min(done, total), total }
    onProgress({ step: 'copy', percent, detail: 'Copying the files', bytes })
  })
  try {
    const copied = await run('/usr/bin/cp', [
      ...['-a', '--reflink=auto', '--sparse=auto', '-T', '--', '/from', '/to'],
    ])
    if (copied.code !== 0) throw failureOf(copied.output)
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
 * A new owner costs files the bits that let them run as their owner: they get them again. File
 * capabilities do not come along, because no server may use them.
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
  if (/no space left|quota exceeded/i.test(output))
    return new DriverError('disk_full', 'There is no room for its files there.', { cause: output })
  return new DriverError('copy_damaged', 'Its files could not be copied. Nothing was changed.', {
    cause: output,
  })
}

/** Tells how much the file system with the folder has grown. */
function growth(folder: string, tell: (bytes: number) => void): { stop(): void } {
  let began: number | null = null
  const look = async () => {
    const { blocks, bfree, bsize } = await statfs(folder)
    const used = (blocks - bfree) * bsize
    began ??= used
    tell(Math.max(0, used - began))
  }
  const again = () => void look().catch(() => undefined)
  again()
  const timer = setInterval(again, TELL_MS)
  return { stop: () => clearInterval(timer) }
}
