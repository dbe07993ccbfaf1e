import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { FolderInUse, lockFolder } from '@lodge/shared/local/folder-lock.ts'
import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Db, openDatabase, openPool } from '../db/database.ts'
import { knownMigrations } from '../db/migrate.ts'
import { appliedMigrations, CopyRefused, hasData } from '../domains/panel-backups/index.ts'
import { socketPlace } from '../embedded-postgres/cluster.ts'
import { hasEmbeddedDatabase, startEmbeddedDatabase } from '../embedded-postgres/supervisor.ts'
import { findVault, type Vault } from '../secrets/vault.ts'

/** Refuses to go on without a database: one created now would belong to no panel. */
export function requireDatabase({ databaseUrl, dataFolder }: Config, nothing: string): void {
  if (databaseUrl || hasEmbeddedDatabase(path.join(dataFolder, 'database'))) return
  throw new CopyRefused(
    'invalid',
    `There is no database in ${dataFolder}: set DATABASE_URL to the panel's PostgreSQL, as its service has it, or LODGE_DATA to its data folder. ${nothing}`,
  )
}

/** Refuses to go on without the panel's key: one created now would belong to no panel. */
export async function requireVault(config: Config, nothing: string): Promise<Vault> {
  const { dataFolder, masterKey } = config
  const vault = await findVault(path.join(dataFolder, 'secrets'), masterKey)
  if (!vault || !existsSync(path.join(dataFolder, 'authority')))
    throw new CopyRefused(
      'invalid',
      `There is no panel in ${dataFolder}, which lacks its keys: set LODGE_DATA to the data folder of the panel, and LODGE_MASTER_KEY if its service has it. ${nothing}`,
    )
  requireDatabase(config, nothing)
  return vault
}

interface Connected extends AsyncDisposable {
  readonly connection: pg.PoolConfig
}

/** Uses the embedded database of a running panel, or starts it for the time of the command. */
async function connect(config: Config, log: Logger): Promise<Connected> {
  const nothing = { [Symbol.asyncDispose]: async () => undefined }
  if (config.databaseUrl)
    return { connection: parseIntoClientConfig(config.databaseUrl.reveal()), ...nothing }
  const folder = path.join(config.dataFolder, 'database')
  try {
    await lockFolder(config.dataFolder, 'control-plane', { variable: 'LODGE_DATA' })
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    const host = socketPlace(await realpath(folder))
    return { connection: { host, port: 5432, user: 'postgres', database: 'lodge' }, ...nothing }
  }
  const embedded = await startEmbeddedDatabase({ folder, log })
  return { connection: embedded.connection, [Symbol.asyncDispose]: () => embedded.stop() }
}

/**
 * Opens the panel's database for a command, whether the panel runs or not.
 * @param nothing the sentence that says what has not been done, if there is no panel
 * @throws {CopyRefused} if there is none, or its database is of an earlier version
 */
export async function openPanelDatabase(
  config: Config,
  log: Logger,
  nothing: string,
): Promise<{ readonly db: Db } & AsyncDisposable> {
  const owner = await connect(config, log)
  const pool = openPool(owner.connection, { max: 3, log })
  async function close(): Promise<void> {
    await pool.end()
    await owner[Symbol.asyncDispose]()
  }
  try {
    await requirePanel(pool, nothing)
    return { db: openDatabase(pool), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function requirePanel(pool: pg.Pool, nothing: string): Promise<void> {
  const client = await pool.connect()
  try {
    if (!(await hasData(client)))
      throw new CopyRefused('invalid', `There is no panel here yet. ${nothing}`)
    const applied = new Set((await appliedMigrations(client)).map(({ name }) => name))
    if (knownMigrations().some(({ name }) => !applied.has(name)))
      throw new CopyRefused(
        'invalid',
        `The database is of an earlier version: start the panel once with this one. ${nothing}`,
      )
  } finally {
    client.release()
  }
}
