import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import { connectionBeside, type Db, isTransaction } from './database.ts'

/**
 * All advisory locks with a name. Each needs a number of its own: two with the same number exclude
 * each other. Do not reuse the number of a lock that was removed, since an older instance may still
 * take it.
 */
export const ADVISORY_LOCKS = {
  /** Instances that start at once apply migrations one after the other. */
  migrations: 1,
  /** ... and grant rights to the application's role one after the other. */
  applicationRole: 2,
  /** Only one first administrator can be created. */
  firstAdministrator: 3,
  auditSeal: 4,
  /** Certificate authorities limit orders. */
  certificateOrder: 5,
  metricsRollup: 6,
  metricsPartitions: 7,
  /** Only one backup of the panel is made at a time, on whatever machine. */
  panelBackup: 8,
} as const

export type AdvisoryLock = keyof typeof ADVISORY_LOCKS

/**
 * The first key of the pair. PostgreSQL keeps locks on pairs apart from those on single keys, which
 * `lockScope` uses, so a hash never hits the number of a lock.
 */
const OURS = 7_210_411

const pairOf = (lock: AdvisoryLock) => `${OURS}, ${ADVISORY_LOCKS[lock]}`

function within(db: Db, call: SQL): Promise<{ rows: { got: boolean }[] }> {
  if (!isTransaction(db)) throw new Error('this lock is held until the end of a transaction')
  return db.execute<{ got: boolean }>(call)
}

/** Waits for the lock and holds it until the transaction ends. */
export async function lock(db: Db, name: AdvisoryLock): Promise<void> {
  await within(db, sql.raw(`select pg_advisory_xact_lock(${pairOf(name)})`))
}

/** Holds the lock until the transaction ends; false if another session has it. */
export async function tryLock(db: Db, name: AdvisoryLock): Promise<boolean> {
  const { rows } = await within(
    db,
    sql.raw(`select pg_try_advisory_xact_lock(${pairOf(name)}) as got`),
  )
  return rows[0]?.got ?? false
}

/**
 * Serialises the transactions of one scope, e.g. the servers of an account. Two scopes with the
 * same 64-bit hash would only wait for each other.
 */
export async function lockScope(db: Db, scope: string): Promise<void> {
  await within(db, sql`select pg_advisory_xact_lock(hashtextextended(${scope}, 0))`)
}

/** Waits for whoever has the scope by `lockScope`, and keeps others from it; any number may share it. */
export async function shareScope(db: Db, scope: string): Promise<void> {
  await within(db, sql`select pg_advisory_xact_lock_shared(hashtextextended(${scope}, 0))`)
}

/** Longer than whoever has the scope may wait for a plugin or another machine. */
const TURN = '60s'

/**
 * Runs work that waits for other machines while nobody else works on the scope, on any instance: what it
 * reads there first is written here first. The lock is on a connection of its own and ends with it.
 */
export async function inTurn<T>(db: Db, scope: string, work: () => Promise<T>): Promise<T> {
  const client = connectionBeside(db)
  try {
    await client.connect()
    await client.query(`set lock_timeout = '${TURN}'`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [scope])
    return await work()
  } finally {
    await client.end()
  }
}

type Session = Pick<pg.ClientBase, 'query'>

/** Waits for the lock and holds it until `unlockSession` or the end of the connection. */
export async function lockSession(client: Session, name: AdvisoryLock): Promise<void> {
  await client.query(`select pg_advisory_lock(${pairOf(name)})`)
}

/** `lockSession` without waiting; false if another session has it. */
export async function tryLockSession(client: Session, name: AdvisoryLock): Promise<boolean> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${pairOf(name)}) as got`)
  return rows[0]?.got === true
}

export async function unlockSession(client: Session, name: AdvisoryLock): Promise<void> {
  await client.query(`select pg_advisory_unlock(${pairOf(name)})`)
}
