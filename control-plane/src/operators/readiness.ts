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
  /** Why not, in words for an operator. */
  readonly reasons: readonly string[]
}

/**
 * Whether this instance can do its work: its disk has room, the database answers within a second and has the newest
 * schema, and agents can connect. Looked at no more than once a second, however many ask.
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
  // First: a database whose disk is full cannot be used either.
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
    // The cause may name hosts and accounts; it is in the log of whatever needed the database.
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
  // Whoever listens on every address is also reached on the loopback one.
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

/** The outcome, or undefined when it takes longer than a probe waits. */
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
