import path from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'

const migrationsFolder = path.resolve(import.meta.dirname, '../../migrations')
/** Any number that nothing else in the database locks. */
const LOCK = 7_210_411

/** Brings the database to the newest schema; several instances may start at once. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await applyMigrations(drizzle({ client }), { migrationsFolder })
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined)
    client.release(true)
  }
}
