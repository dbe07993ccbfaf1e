import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { exists } from '@lodge/shared/local/files.ts'
import type { Account } from './software.ts'

/** A PostgreSQL data folder and what a postmaster needs to run on it. Absolute paths. */
export interface Cluster {
  software: string
  data: string
  /** Folder of the Unix socket; its name always contains port 5432. */
  sockets: string
  logFile: string
  account: Account
  durable: boolean
}

const largestLogBytes = 10 * 1024 * 1024
// sun_path holds 108 bytes including the terminating zero.
const longestSocketPath = 107
// The server inherits none of our environment: no secrets, and no PG* variables that would redirect
// it.
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }

/**
 * Creates the data folder if it is missing. It is built aside and renamed, so an interrupted first
 * start leaves nothing that looks like a database.
 */
export async function initialise(cluster: Cluster): Promise<void> {
  const { data, software, account, durable } = cluster
  if (await exists(path.join(data, 'PG_VERSION'))) return requireSameVersion(cluster)
  const fresh = `${data}.fresh`
  await rm(fresh, { recursive: true, force: true })
  await privateFolder(fresh, account)
  const settings = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await promisify(execFile)(
    path.join(software, 'bin/initdb'),
    ['-D', fresh, ...settings, ...locale, ...(durable ? [] : ['--no-sync'])],
    { ...account, cwd: fresh, env: environment },
  )
  await rename(fresh, data)
}

async function requireSameVersion({ data, software }: Cluster): Promise<void> {
  const have = (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim()
  const want = path.basename(software).split('.')[0]
  if (have !== want) {
    throw new Error(`${data} was made by PostgreSQL ${have}, this Lodge brings ${want}: upgrade it`)
  }
}

/**
 * The folder of the Unix socket: next to the data, or under the system's temporary folder if the
 * path would exceed the limit of a socket address.
 */
export async function socketFolder(folder: string, account: Account): Promise<string> {
  const at = socketPlace(folder)
  await privateFolder(at, account)
  const { uid, mode } = await lstat(at)
  const owner = account.uid ?? process.getuid?.()
  if (uid !== owner || (mode & 0o077) !== 0) throw new Error(`${at} belongs to somebody else`)
  return at
}

/** Where the socket of the database in this folder is. */
export function socketPlace(folder: string): string {
  const preferred = path.join(folder, 'socket')
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const fits = Buffer.byteLength(path.join(preferred, '.s.PGSQL.5432.lock')) <= longestSocketPath
  return fits ? preferred : path.join(os.tmpdir(), `lodge-${name}`)
}

async function privateFolder(at: string, account: Account): Promise<void> {
  const made = await mkdir(at, { recursive: true, mode: 0o700 })
  if (!made) return
  await chmod(at, 0o700)
  if (account.uid !== undefined) await chown(at, account.uid, account.gid)
}

/** Everything is in memory, and gone before statistics or dead rows matter. */
const throwAway = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  ...{ autovacuum: 'off', io_method: 'sync' },
}

/** Starts a postmaster in its own session, so that it outlives us and Ctrl-C does not reach it. */
export async function launch(cluster: Cluster): Promise<number> {
  const { software, data, sockets, account, durable } = cluster
  await removeStalePidFile(data)
  const log = await open(cluster.logFile, 'a')
  try {
    if ((await log.stat()).size > largestLogBytes) await log.truncate()
    const settings: Record<string, string> = {
      listen_addresses: '',
      unix_socket_directories: sockets,
      unix_socket_permissions: '0700',
      // A throw-away server is shared by all control planes of tests that run in parallel.
      max_connections: durable ? '100' : '400',
      shared_buffers: '128MB',
      log_checkpoints: 'off',
      ...(durable ? {} : throwAway),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const postmaster = spawn(path.join(software, 'bin/postgres'), ['-D', data, ...flags], {
      ...account,
      cwd: data,
      env: environment,
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    })
    await new Promise((resolve, reject) => {
      postmaster.once('spawn', resolve)
      postmaster.once('error', reject)
    })
    postmaster.unref()
    return postmaster.pid!
  } finally {
    await log.close()
  }
}

/** The postmaster already running on this data folder, left behind by a killed Lodge. */
export async function runningPostmaster(data: string): Promise<number | undefined> {
  const file = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(file.split('\n')[0])
  return pid > 0 && (await worksIn(pid, data)) ? pid : undefined
}

/**
 * After a machine crash, the pid in postmaster.pid may belong to an unrelated process, and
 * PostgreSQL would refuse to start. The file is removed only if no process runs in the data folder,
 * so never under a live server.
 */
async function removeStalePidFile(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid')
  if (!(await exists(file))) return
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await worksIn(Number(name), data))) return
  }
  await rm(file, { force: true })
}

async function worksIn(pid: number, data: string): Promise<boolean> {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return folder === data
}

/** Whether the process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** PostgreSQL's last log lines, for the error of a failed start. */
export async function lastWords(cluster: Cluster): Promise<string> {
  const text = await readFile(cluster.logFile, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-8).join('\n')
}
