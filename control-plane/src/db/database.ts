import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'
import { NamingClient } from './named-statements.ts'

/** A connection pool or an open transaction of it. */
export type Db = Pick<
  NodePgDatabase,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | 'transaction' | 'with'
>

/** bigint columns are counters far below 2^53, so they are read as numbers. */
pg.types.setTypeParser(20, Number)

export function openPool(
  connection: pg.PoolConfig,
  options: { max: number; log: Logger },
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    Client: NamingClient,
    max: options.max,
    // A connection's plans are worth keeping over quiet minutes.
    idleTimeoutMillis: 300_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'lodge',
  })
  // Without a listener an idle connection that PostgreSQL ends would end the process.
  pool.on('error', (error) =>
    options.log.warn(`An idle database connection was lost: ${error.message}`),
  )
  return pool
}

/**
 * A number of rows as part of a statement's text. With a parameter in its place PostgreSQL reckons
 * with a tenth of the table, distrusts the plan it could keep and plans anew at every use.
 */
export const rowsAtMost = (count: number): SQL => {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('not a number of rows')
  return sql.raw(`limit ${count}`)
}

export const openDatabase = (pool: pg.Pool): Db => drizzle({ client: pool })

/** PostgreSQL's error code (e.g. 23505) and the constraint it names, however deep the cause lies. */
export function databaseFault(
  error: unknown,
): { code: string; constraint: string | undefined } | undefined {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9A-Z]{5}$/.test(at.code)) {
      const constraint =
        'constraint' in at && typeof at.constraint === 'string' ? at.constraint : undefined
      return { code: at.code, constraint }
    }
  }
  return undefined
}

export const isDuplicate = (error: unknown, constraint?: string): boolean => {
  const fault = databaseFault(error)
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

const DEADLOCK_ATTEMPTS = 4

/** Of two transactions that wait for each other PostgreSQL ends one; it lost nothing and is done again. */
export async function inOneTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (error) {
      const code = databaseFault(error)?.code
      const again = code === '40P01' || code === '40001'
      if (!again || attempt === DEADLOCK_ATTEMPTS) throw error
    }
  }
}
