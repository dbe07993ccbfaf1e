import { existsSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '@lodge/shared/backoff.ts'
import { Client, type PoolConfig } from 'pg'
import {
  type Cluster,
  initialise,
  isAlive,
  lastWords,
  launch,
  runningPostmaster,
  socketFolder,
} from './cluster.ts'
import { databaseAccount, requireReachable, stageSoftware } from './software.ts'

/** Log of the supervisor; a pino logger fits. */
export interface EmbeddedLog {
  info(message: string): void
  warn(message: string): void
}

/** An embedded PostgreSQL that is kept running until `stop`. */
export interface EmbeddedDatabase {
  /** For `new Pool()`: Unix socket, database `lodge`. Stays valid across server restarts. */
  readonly connection: PoolConfig & { host: string; port: number; user: string; database: string }
  /** Process id of the running postmaster. */
  readonly pid: number
  /** Stops the server cleanly and closes open connections. Idempotent. */
  stop(): Promise<void>
}

const watchEveryMs = 200
const startWithinMs = 60_000
/** PostgreSQL's smart, fast and immediate shutdown, then SIGKILL. */
const endings = [
  ['SIGTERM', 1_000],
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const
const restarts = { leastMs: 100, mostMs: 5_000 }

/** Whether a database was ever made under `folder`. */
export const hasEmbeddedDatabase = (folder: string): boolean =>
  existsSync(path.join(folder, 'data/PG_VERSION'))

/**
 * Starts PostgreSQL under `folder`, or takes over one still running there, and restarts it whenever
 * it dies; callers just reconnect. It listens on a Unix socket only.
 *
 * `durable: false` trades crash safety for speed, for throw-away databases.
 * @throws if the programs are missing, the folder is unusable or the server does not start
 */
export async function startEmbeddedDatabase(options: {
  folder: string
  durable?: boolean
  log: EmbeddedLog
}): Promise<EmbeddedDatabase> {
  const { log } = options
  const cluster = await prepare(options.folder, options.durable ?? true)
  const connection = { host: cluster.sockets, port: 5432, user: 'postgres', database: 'lodge' }
  let pid = await bringUp(cluster, log).catch(async () => {
    // Child processes of a postmaster just killed may hold its shared memory for a moment.
    await pause(1_000)
    return bringUp(cluster, log)
  })
  await createDatabase(connection)

  const halt = new AbortController()
  const rest = (ms: number) =>
    pause(ms, undefined, { ref: false, signal: halt.signal }).catch(() => undefined)
  const supervision = keepRunning()

  async function keepRunning(): Promise<void> {
    let failures = 0
    let upSince = Date.now()
    while (!halt.signal.aborted) {
      await rest(watchEveryMs)
      if (halt.signal.aborted || isAlive(pid)) continue
      // After a minute of uptime, restart without back-off.
      if (Date.now() - upSince > 60_000) failures = 0
      const wait = backoffMs(failures++, restarts)
      log.warn(`PostgreSQL (pid ${pid}) exited unexpectedly, restarting it in ${wait} ms`)
      await rest(wait)
      if (halt.signal.aborted) return
      try {
        pid = await bringUp(cluster, log)
        upSince = Date.now()
      } catch (error) {
        log.warn(`Could not restart PostgreSQL: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  async function stop(): Promise<void> {
    halt.abort()
    await supervision
    await end(pid)
  }

  return {
    connection,
    get pid() {
      return pid
    },
    stop,
  }
}

async function prepare(asked: string, durable: boolean): Promise<Cluster> {
  const account = databaseAccount()
  await mkdir(asked, { recursive: true })
  // PostgreSQL resolves its working folder, so compare real paths without links or dots.
  const folder = await realpath(asked)
  if (account.uid !== undefined) await chmod(folder, 0o755)
  await requireReachable(folder, account)
  const cluster = {
    software: await stageSoftware(path.join(folder, 'software')),
    data: path.join(folder, 'data'),
    sockets: await socketFolder(folder, account),
    logFile: path.join(folder, 'postgresql.log'),
    account,
    durable,
  }
  await initialise(cluster)
  return cluster
}

/** Takes over or starts the postmaster; returns its pid once it answers queries. */
async function bringUp(cluster: Cluster, log: EmbeddedLog): Promise<number> {
  const running = await runningPostmaster(cluster.data)
  const pid = running ?? (await launch(cluster))
  const deadline = Date.now() + startWithinMs
  const connection = { host: cluster.sockets, port: 5432, user: 'postgres', database: 'postgres' }
  while (!(await answers(connection))) {
    // The server we meant to take over was shutting down: start our own.
    if (running && !isAlive(pid)) return bringUp(cluster, log)
    if (!isAlive(pid) || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start:\n${await lastWords(cluster)}`)
    }
    await pause(20)
  }
  log.info(running ? `PostgreSQL taken over (pid ${pid})` : `PostgreSQL started (pid ${pid})`)
  return pid
}

async function answers(connection: PoolConfig): Promise<boolean> {
  const client = new Client(connection)
  // A recovering server may drop the connection after the handshake began.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function createDatabase(connection: PoolConfig): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [
      connection.database,
    ])
    if (known.rowCount === 0) await client.query('create database lodge')
  } finally {
    await client.end()
  }
}

/**
 * Waits briefly for open connections, then terminates them with increasing force. Returns once the
 * process is gone.
 */
async function end(pid: number): Promise<void> {
  for (const [signal, withinMs] of endings) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    const deadline = Date.now() + withinMs
    while (isAlive(pid) && Date.now() < deadline) await pause(10)
  }
}
