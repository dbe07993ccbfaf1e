import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type StorageWatch, watchStorage } from '@lodge/shared/egress/watch-storage.ts'
import { resticFault, saysMissing } from '@lodge/shared/local/restic-output.ts'
import { watchProgress } from '@lodge/shared/local/watch-progress.ts'
import { CopyRefused } from './refused.ts'

/** Where copies are stored, with the credentials. */
export interface Repository {
  readonly recoveryKey: string
  readonly location:
    | { readonly kind: 'folder'; readonly folder: string }
    | {
        readonly kind: 's3'
        readonly endpoint: string
        readonly bucket: string
        /** Folder in the bucket; empty for the bucket itself. */
        readonly prefix: string
        readonly region: string
        readonly accessKeyId: string
        readonly secretAccessKey: string
      }
}

export interface ResticOptions {
  readonly signal: AbortSignal
  /** Cache for what restic would otherwise fetch from a bucket again. */
  readonly cacheFolder: string
  /** Certificate authorities of private storages, in addition to those of the system. */
  readonly caFile?: string | undefined
  readonly onLine?: (line: string) => void
  /** How long it may transfer nothing. */
  readonly stalledMs?: number
}

interface Ended {
  readonly code: number | null
  /** The last lines of stdout and stderr. */
  readonly said: string
  /** The last lines of stderr. */
  readonly complaints: readonly string[]
}

const KEPT_LINES = 40

/**
 * Runs restic on a repository and waits for its end. It dies with this process, however that ends, so
 * that a new attempt never runs beside an old one. The recovery key is passed in the environment,
 * which only this account and root can read.
 */
export async function restic(
  repository: Repository,
  args: readonly string[],
  options: ResticOptions,
): Promise<Ended> {
  options.signal.throwIfAborted()
  const watch = await watched(repository, options.signal)
  try {
    return await run(repository, args, { ...options, signal: watch.signal })
  } finally {
    watch.stop()
  }
}

/**
 * restic itself would wait for a quarter of an hour for each request to a bucket that does not
 * answer.
 */
async function watched({ location }: Repository, signal: AbortSignal): Promise<StorageWatch> {
  if (location.kind === 'folder') return { signal, stop: () => undefined }
  return await watchStorage(location.endpoint, { signal, away: storageAway })
}

const storageAway = (options?: ErrorOptions) =>
  new CopyRefused(
    'storage_unavailable',
    'The storage of the backups does not answer: check its address, and that it runs',
    options,
  )

async function run(
  repository: Repository,
  args: readonly string[],
  { signal, cacheFolder, caFile, onLine, stalledMs }: ResticOptions,
): Promise<Ended> {
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'restic', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGTERM',
    env: {
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LC_ALL: 'C',
      TMPDIR: cacheFolder,
      RESTIC_CACHE_DIR: cacheFolder,
      RESTIC_PASSWORD: repository.recoveryKey,
      RESTIC_PROGRESS_FPS: '1',
      ...(caFile === undefined ? {} : { SSL_CERT_FILE: caFile }),
      ...addressOf(repository),
    },
  })
  let hasStalled = false
  watchProgress(
    child,
    () => {
      hasStalled = true
      // SIGKILL, because on SIGTERM it would try to remove its lock over the same storage.
      child.kill('SIGKILL')
    },
    stalledMs,
  )
  const said: string[] = []
  const complaints: string[] = []
  const keep = (line: string, lines: string[]) => {
    lines.push(line)
    if (lines.length > KEPT_LINES) lines.shift()
  }
  createInterface(child.stderr).on('line', (line) => {
    keep(line, said)
    keep(line, complaints)
  })
  createInterface(child.stdout).on('line', (line) => {
    keep(line, said)
    onLine?.(line)
  })
  const [code] = await once(child, 'close').catch((error: Error & { code?: string }) => {
    if (error.code === 'ENOENT')
      throw new CopyRefused('invalid', 'restic is not installed: apt-get install restic')
    signal.throwIfAborted()
    throw error
  })
  signal.throwIfAborted()
  if (hasStalled)
    throw new CopyRefused(
      'storage_unavailable',
      'The storage of the backups has moved no data for ten minutes: check that it runs and is fast enough, then try again',
    )
  return { code: code as number | null, said: said.join('\n'), complaints }
}

function addressOf({ location }: Repository): Record<string, string> {
  if (location.kind === 'folder') return { RESTIC_REPOSITORY: location.folder }
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = location
  const at = [endpoint.replace(/\/+$/, ''), bucket, prefix].filter(Boolean).join('/')
  return {
    RESTIC_REPOSITORY: `s3:${at}`,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(region && { AWS_DEFAULT_REGION: region }),
  }
}

/** Whether there is no repository yet. */
export const isMissing = ({ said }: Ended): boolean => saysMissing(said)

/** The cause of a failure, and what to do about it. */
export function failureOf({ said }: Pick<Ended, 'said'>): CopyRefused {
  const cause = new Error(said.slice(-2_000))
  const refused = (code: CopyRefused['code'], words: string) =>
    new CopyRefused(code, words, { cause })
  switch (resticFault(said)) {
    case 'full':
      return refused('storage_full', 'There is no room left where the copy is written: free some')
    case 'wrong-key':
      return refused(
        'invalid',
        'The recovery key does not open these backups: enter the one that was shown when they were set up',
      )
    case 'locked':
      return refused('conflict', 'Another program uses these backups: try again in a few minutes')
    case 'denied':
      return refused(
        'storage_unavailable',
        'The control plane may not write to the place of the backups: give its account access to it',
      )
    case 'untrusted':
      return refused(
        'storage_unavailable',
        'The certificate of the storage is not trusted here: name its authority with LODGE_EGRESS_CA',
      )
    case 'away':
    case 'short':
      return storageAway({ cause })
    case 'refused':
      return refused('storage_unavailable', 'The bucket refuses access: check its name and keys')
    case 'damaged':
    case undefined:
      return refused(
        'backup_damaged',
        'The backups cannot be read: check the disk or bucket they are in',
      )
  }
}
