import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import type pg from 'pg'
import { lockSession, unlockSession } from './advisory-locks.ts'

const migrationsFolder = path.resolve(import.meta.dirname, '../../migrations')

/** The migrations of this version, oldest first. */
export const knownMigrations = (): MigrationMeta[] => readMigrationFiles({ migrationsFolder })

/**
 * Migrates the database to the newest schema; several instances may start at once.
 * @throws if another line of versions has migrated the database
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await lockSession(client, 'migrations')
    await refuseOtherLine(client)
    await applyMigrations(drizzle({ client }), { migrationsFolder })
  } finally {
    await unlockSession(client, 'migrations').catch(() => undefined)
    client.release(true)
  }
}

/**
 * Newer migrations than ours were applied by an instance updated before this one, and that schema
 * still serves us. An unknown older one means that ours would run on tables they do not expect.
 */
async function refuseOtherLine(client: pg.PoolClient): Promise<void> {
  const { rows: found } = await client.query(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as migrated`,
  )
  if (!found[0]?.migrated) return
  const known = (await readdir(migrationsFolder)).toSorted()
  const newest = known.at(-1) ?? ''
  const { rows } = await client.query<{ name: string }>(
    'select name from drizzle.__drizzle_migrations where name <> all ($1) and name < $2 order by name limit 1',
    [known, newest],
  )
  if (rows[0])
    throw new Error(
      `This database was made by another line of versions of Lodge (its migration ${rows[0].name} is unknown here). Start the version that made it, or give this one an empty database.`,
    )
}
