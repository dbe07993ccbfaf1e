import { type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Logger } from 'pino'
import { Problem } from '../problem.ts'
import { databaseFault } from './fault.ts'
import { LodgeClient, type Statement } from './lodge-client.ts'
import { statementNames } from './named-statements.ts'
import { timestampOf } from './timestamps.ts'

export { databaseFault, isDatabaseAway, isDuplicate } from './fault.ts'

/** A connection pool or an open transaction. */
export type Db = Pick<
  NodePgDatabase,
  | '_'
  | 'select'
  | 'selectDistinctOn'
  | 'insert'
  | 'update'
  | 'delete'
  | 'execute'
  | 'transaction'
  | 'with'
>

/** bigint columns are counters far below 2^53, so they are read as numbers. */
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1184, timestampOf)

export function openPool(
  connection: pg.PoolConfig,
  options: { max: number; log: Logger },
): pg.Pool {
  const names = statementNames()
  const pool = new pg.Pool({
    ...connection,
    Client: class extends LodgeClient {
      constructor(config?: pg.ClientConfig) {
        super(config, names)
      }
    },
    max: options.max,
    // Keep idle connections: their prepared plans are worth it.
    idleTimeoutMillis: 300_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'lodge',
  })
  // Without a listener, an idle connection closed by PostgreSQL would crash the process.
  pool.on('error', (error) =>
    options.log.warn(`An idle database connection was lost: ${error.message}`),
  )
  return pool
}

/**
 * A row limit inlined into the statement. For a parameter, PostgreSQL assumes a tenth of the table,
 * rejects the generic plan and plans anew on every use.
 */
export const rowsAtMost = (count: number): SQL => {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('not a number of rows')
  return sql.raw(`limit ${count}`)
}

export const openDatabase = (pool: pg.Pool): Db => drizzle({ client: pool })

/** The pool or the connection behind this database or transaction. */
export function connectionOf(db: Db): Pick<pg.Client, 'query'> {
  const { session } = db._
  const client = 'client' in session ? session.client : undefined
  if (client instanceof pg.Pool || client instanceof pg.Client) return client
  throw new Error('the database has no connection of ours')
}

/** A new connection to the same database, for work that takes long and must not hold one of the pool. */
export function connectionBeside(db: Db): pg.Client {
  const pool = connectionOf(db)
  if (!(pool instanceof pg.Pool)) throw new Error('a connection is opened beside a pool')
  const { host, port, user, password, database, ssl, connectionString } = pool.options
  const client = new pg.Client({
    ...{ host, port, user, password, database, ssl, connectionString },
    connectionTimeoutMillis: pool.options.connectionTimeoutMillis,
    application_name: 'lodge',
  })
  // Whoever uses it gets the error with its statement.
  client.on('error', () => undefined)
  return client
}

/** Whether statements on `db` run in an open transaction. */
export const isTransaction = (db: Db): boolean => !(connectionOf(db) instanceof pg.Pool)

/**
 * Sends a statement whose result is not needed: in a transaction, in order and at the latest with
 * the commit.
 */
export async function later(db: Db, statement: Statement): Promise<void> {
  const connection = connectionOf(db)
  if (connection instanceof LodgeClient) return connection.later(statement)
  await connection.query(statement.text, [...statement.values])
}

/** Notifies a channel's listeners if and when the transaction commits. */
export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  const connection = connectionOf(db)
  if (connection instanceof LodgeClient) return connection.notify(channel, payload)
  await connection.query('select pg_notify($1, $2)', [channel, payload])
}

/**
 * Whether only one item of a multi-row statement is at fault, so that the others may succeed
 * without it.
 */
export const repairableAlone = (error: unknown): boolean =>
  /^(22|23|54)/.test(databaseFault(error)?.code ?? '')

const DEADLOCK_ATTEMPTS = 4

/** Retries deadlock victims: PostgreSQL rolled the transaction back, so repeating it is safe. */
export async function inOneTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work)
    } catch (failed) {
      // Retry on the cause, not on the Problem that `explain` put in its place.
      const explained = failed instanceof Error && failed.cause instanceof Problem
      const error = explained ? failed.cause : failed
      const code = databaseFault(error)?.code
      const again = code === '40P01' || code === '40001'
      if (!again || attempt === DEADLOCK_ATTEMPTS) throw error
    }
  }
}
