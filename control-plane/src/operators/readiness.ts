import { readdir } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import type { Storage } from '../storage.ts'

const WITHIN_MS = 1000
const KEEP_MS = 1000
const migrationsFolder = path.resolve(import.meta.dirname, '../../migrations')

export interface Readiness {
  readonly ready: boolean
  /** Reasons for not being ready, for an operator. */
  readonly reasons: readonly string[]
}

/**
 * Whether this instance can work: its disk has space, the database answers within a second with the
 * newest schema, and agents can connect. Checked at most once a second, however often it is
 * requested.
 */
export function readiness(
  fleetHost: string,
): (db: Db, fleetPort: number, storage: Storage) => Promise<Readiness> {
  let newest: { at: number; readiness: Promise<Readiness> } | undefined
  return (db, fleetPort, storage) => {
    if (newest && Date.now() - newest.at < KEEP_MS) return newest.readiness
    newest = { at: Date.now(), readiness: look(db, fleetHost, fleetPort, storage) }
    return newest.readiness
  }
}

async function look(db: Db, host: string, port: number, storage: Storage): Promise<Readiness> {
  const { level, summary } = storage.look()
  // Checked first, because a full disk also takes the database down.
  const whyStorage = level === 'full' ? summary : undefined
  const reasons = [
    whyStorage,
    ...(await Promise.all([whyDatabase(db), whyFleet(host, port)])),
  ].filter((reason) => reason !== undefined)
  return { ready: reasons.length === 0, reasons }
}

async function whyDatabase(db: Db): Promise<string | undefined> {
  try {
    const missing = await inTime(missingMigrations(db))
    if (missing === undefined) return `The database did not answer within ${WITHIN_MS} ms`
    if (missing.length > 0)
      return `The schema of the database lacks ${missing.length} migrations, beginning with ${missing[0]}`
    return undefined
  } catch {
    // The error may name hosts and accounts; the log of the failed query has it.
    return 'The database cannot be used'
  }
}

async function missingMigrations(db: Db): Promise<string[]> {
  const known = await readdir(migrationsFolder, { withFileTypes: true })
  const { rows } = await db.execute<{ name: string }>(
    sql`select name from drizzle.__drizzle_migrations`,
  )
  const applied = new Set(rows.map((row) => row.name))
  return known
    .filter((entry) => entry.isDirectory() && !applied.has(entry.name))
    .map((entry) => entry.name)
    .toSorted()
}

async function whyFleet(host: string, port: number): Promise<string | undefined> {
  const { promise: connected, resolve } = Promise.withResolvers<boolean>()
  // A server bound to every address is also reachable through loopback.
  const socket = net.connect({
    port,
    host: host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
  })
  socket.once('connect', () => resolve(true))
  socket.once('error', () => resolve(false))
  const open = await inTime(connected)
  socket.destroy()
  return open ? undefined : `Agents cannot connect: nothing listens on port ${port}`
}

/** The result; undefined if it takes longer than a probe waits. */
async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, WITHIN_MS, undefined)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}
