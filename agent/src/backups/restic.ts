import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import type { OpenRepository } from '@lodge/driver/backup-store.ts'
import { DriverError, type DriverErrorCode } from '@lodge/driver/driver.ts'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import { type SandboxOptions, type Shown, sandboxed } from '@lodge/driver/sandbox.ts'
import { type ResticFault, resticFault, saysMissing } from '@lodge/shared/local/restic-output.ts'
import { watchProgress } from '@lodge/shared/local/watch-progress.ts'
import { createRepository } from './create-repository.ts'
import { Locks } from './locks.ts'
import { storageAway, storageStalled, watchRepository } from './watch-storage.ts'

/** Copies of large servers take hours. */
const DEADLINE_MS = 20 * 3_600_000
/** Where the sandbox shows the server's data. */
export const DATA = '/data'

export interface Restic {
  /** Creates a repository, unless another backup did so meanwhile. */
  create(repository: OpenRepository, signal: AbortSignal): Promise<void>
  /** Runs one command on a repository. */
  run(
    repository: OpenRepository,
    args: readonly string[],
    options: RunOptions,
  ): Promise<ProgramResult>
  /** The same with its output as a stream, which fails when the command does. */
  stream(
    repository: OpenRepository,
    args: readonly string[],
    options: Pick<RunOptions, 'signal'>,
  ): Promise<Readable>
}

interface RunOptions {
  readonly signal: AbortSignal
  readonly data?: Omit<Shown, 'at'>
  readonly rights?: SandboxOptions['rights']
  readonly onLine?: (line: string) => void
}

/**
 * @param given.root folder of the repositories that are on this node, and of caches
 * @param given.caFile authorities of private storages, beside those of the system
 */
export function resticIn(given: {
  readonly root: string
  readonly program: string
  readonly caFile?: string | undefined
  /** A command that transfers no byte for this long is ended. */
  readonly stalledMs?: number | undefined
}): Restic {
  const { root, program, caFile } = given
  async function prepare(
    { id, location, password }: OpenRepository,
    args: readonly string[],
    { data, rights = [] }: Omit<RunOptions, 'signal'>,
  ) {
    const cache = join(root, 'cache', id)
    const scratch = join(root, 'scratch')
    const shown: Shown[] = [{ folder: scratch, at: '/scratch', writable: true }]
    const options = ['--quiet', '--json', '--cleanup-cache=false']
    const environment: Record<string, string> = {
      RESTIC_PASSWORD: password,
      TMPDIR: '/scratch',
      RESTIC_PROGRESS_FPS: '2',
    }
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    if (location.kind === 'node') {
      const folder = repositoryFolder(root, id)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      shown.push({ folder, at: '/repository', writable: true })
      environment.RESTIC_REPOSITORY = '/repository'
      options.push('--no-cache')
    } else {
      await mkdir(cache, { recursive: true, mode: 0o700 })
      shown.push({ folder: cache, at: '/cache', writable: true })
      environment.RESTIC_CACHE_DIR = '/cache'
    }
    if (location.kind === 'linked') environment.RESTIC_REPOSITORY = `rest:${location.url}`
    if (location.kind === 's3') {
      const { endpoint, bucket, folder, region } = location
      environment.RESTIC_REPOSITORY = `s3:${endpoint}/${bucket}/${folder}`
      environment.AWS_ACCESS_KEY_ID = location.accessKeyId
      environment.AWS_SECRET_ACCESS_KEY = location.secretAccessKey
      if (caFile !== undefined) {
        shown.push({ folder: caFile, at: '/authorities.pem' })
        environment.SSL_CERT_FILE = '/authorities.pem'
      }
      if (region !== '') environment.AWS_DEFAULT_REGION = region
    }
    if (data) shown.push({ ...data, at: DATA })
    const network = location.kind !== 'node'
    const [file, all] = sandboxed(program, [...options, ...args], { shown, rights, network })
    return { file, args: all, environment }
  }

  const creating = new Locks()
  const own: Restic = {
    async create(repository, signal) {
      const { id, location, password } = repository
      if (location.kind === 'node') {
        const folder = repositoryFolder(root, id)
        return await creating.during(id, true, async () => {
          if (!existsSync(join(folder, 'config'))) await createRepository(folder, password)
        })
      }
      // One at a time: a second key beside the first would open nothing.
      await creating.during(id, true, async () => {
        const done = await own.run(repository, ['init', '--repository-version', '2'], { signal })
        if (done.code !== 0 && !/already (exists|initialized)/i.test(done.output))
          throw failureOf(done)
      })
    },
    async run(repository, args, options) {
      const { onLine } = options
      const { file, args: all, environment } = await prepare(repository, args, options)
      const watch = await watchRepository(repository, options.signal)
      const stalled = new AbortController()
      try {
        return await runProgram(file, all, {
          signal: AbortSignal.any([watch.signal, stalled.signal]),
          onStart: (child) =>
            watchProgress(child, () => stalled.abort(storageStalled()), given.stalledMs),
          environment,
          deadlineMs: DEADLINE_MS,
          ...(onLine && { onLine }),
        })
      } finally {
        watch.stop()
      }
    },
    async stream(repository, args, { signal }) {
      const { file, args: all, environment } = await prepare(repository, args, {})
      const watch = await watchRepository(repository, signal)
      const child = spawn(file, all, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', ...environment },
        signal: watch.signal,
      })
      child.on('error', () => undefined)
      child.on('close', watch.stop)
      return await outputOf(child)
    },
  }
  return own
}

export const repositoryFolder = (root: string, id: string): string => join(root, 'repositories', id)

/** Output that ends with an error, not early, when the program fails. */
async function outputOf(child: ChildProcess): Promise<Readable> {
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the program has no output')
  let said = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_096)
  })
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  const output = new Transform({
    transform: (chunk, _encoding, done) => done(null, chunk),
    // The last bytes are passed on only once the program has said that it was all.
    flush(done) {
      closed.then(
        ([code]) => done(code === 0 ? null : failureOf({ code, output: said })),
        (error: Error) => done(error),
      )
    },
  })
  output.once('close', () => child.kill())
  stdout.once('error', (error) => output.destroy(error))
  return stdout.pipe(output)
}

/** A program that a signal ended, as for want of memory, says so by its exit code. */
const BY_SIGNAL = 128

const FAILURES = {
  full: { code: 'disk_full', detail: 'There is no room left to write to.' },
  'wrong-key': { code: 'copy_damaged', detail: 'The repository does not open with its key.' },
  locked: { code: 'runtime_unavailable', detail: 'The repository is in use.', retryable: true },
  denied: {
    code: 'not_permitted',
    detail: 'The node may not use the files of the backups: check its disks and their rights.',
  },
  untrusted: {
    code: 'not_permitted',
    detail: 'The node does not trust the certificate of the storage.',
  },
  refused: {
    code: 'not_permitted',
    detail: 'The storage of the backups refuses the node: check its settings.',
  },
  damaged: { code: 'copy_damaged', detail: 'The backup or its repository is damaged.' },
  short: {
    code: 'copy_unreadable',
    detail: 'The storage of the backups sends less than it should.',
    retryable: true,
  },
  missing: {
    code: 'runtime_unavailable',
    detail: 'The repository of the backups is not in its place: its disk may not be mounted.',
    retryable: true,
  },
  ended: { code: 'timeout', detail: 'The work on the backup was ended.', retryable: true },
  unknown: {
    code: 'copy_unreadable',
    detail: 'restic failed to read or to write the backup: see the log of the node.',
  },
} as const satisfies Record<
  Exclude<ResticFault, 'away'> | 'missing' | 'ended' | 'unknown',
  { code: DriverErrorCode; detail: string; retryable?: boolean }
>

/**
 * What went wrong, in words for the owner of a server; nothing of it names paths of the node. Only
 * what restic itself calls damaged counts as such: a storage that is away is whole.
 */
export function failureOf({ code, output }: ProgramResult): DriverError {
  const cause = output.trim().slice(-2_000)
  const fault = saysMissing(output) ? 'missing' : resticFault(output)
  if (fault === 'away') return storageAway(cause)
  const ended = code === null || code >= BY_SIGNAL
  const failure = FAILURES[fault ?? (ended ? 'ended' : 'unknown')]
  const retryable = 'retryable' in failure
  return new DriverError(failure.code, failure.detail, { retryable, cause })
}

/** Whether the repository does not exist yet. False for a storage that refuses or is away: it may have it. */
export const isMissing = ({ code, output }: ProgramResult): boolean =>
  code !== 0 && saysMissing(output)

/** A path within the server, as the sandbox and the snapshot know it. */
export const inData = (path: string): string => (path === '/' ? DATA : `${DATA}${path}`)

/** A path as a pattern that matches only itself. */
export const escaped = (path: string): string => path.replace(/[\\*?[\]]/g, '\\$&')

/** Removes the locks of killed processes; the caller knows that no living one uses the repository. */
export async function unlock(
  restic: Restic,
  repository: OpenRepository,
  signal: AbortSignal,
): Promise<void> {
  const done = await restic.run(repository, ['unlock', '--remove-all'], { signal })
  if (done.code !== 0 && !isMissing(done)) throw failureOf(done)
}
