import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { FolderInUse, lockFolder } from '@lodge/shared/local/folder-lock.ts'
import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { type Config, placesOf, readConfig } from '../config.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { knownMigrations } from '../db/migrate.ts'
import {
  appliedMigrations,
  backUpNow,
  CopyRefused,
  hasData,
} from '../domains/panel-backups/index.ts'
import { socketPlace } from '../embedded-postgres/cluster.ts'
import { hasEmbeddedDatabase, startEmbeddedDatabase } from '../embedded-postgres/supervisor.ts'
import { openLog } from '../log.ts'
import { findVault, type Vault } from '../secrets/vault.ts'
import { Usage } from './repository.ts'
import { sizeText, tell } from './tell.ts'

/** `lodge backup` */
export async function backUp(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' } } })
  const { to } = values
  if (to !== undefined && !path.isAbsolute(to)) throw new Usage('--to needs an absolute path')
  const config = readConfig()
  const log = openLog(config.logLevel)
  const vault = await requireVault(config)
  await using owner = await connect(config, log)
  const pool = openPool(owner.connection, { max: 3, log })
  try {
    await requirePanel(pool)
    const services = {
      db: openDatabase(pool),
      vault,
      places: placesOf(config),
    }
    const ended = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => ended.abort(new Error('The backup was ended')))
    const made = await backUpNow(services, {
      folder: to && path.resolve(to),
      signal: ended.signal,
      onProgress: (percent, detail) => tell.progress(`${detail}: ${percent}%`),
    })
    tell.line(`Backed up to ${made.address}: ${made.snapshotId.slice(0, 8)}`)
    tell.line(`${sizeText(made.sizeBytes)}, ${sizeText(made.storedBytes)} of it new at that place`)
    if (made.recoveryKey) {
      tell.line(`Recovery key: ${made.recoveryKey}`)
      tell.line('Keep it away from this machine: without it nobody restores the backup.')
    } else tell.line('Its recovery key is shown under Settings > Backups.')
  } finally {
    await pool.end()
  }
}

/** A key, a folder or a database made here would be those of no panel. */
async function requireVault({ dataFolder, databaseUrl, masterKey }: Config): Promise<Vault> {
  const vault = await findVault(path.join(dataFolder, 'secrets'), masterKey)
  if (!vault || !existsSync(path.join(dataFolder, 'authority')))
    throw new CopyRefused(
      'invalid',
      `There is no panel in ${dataFolder}, which lacks its keys: set LODGE_DATA to the data folder of the panel, and LODGE_MASTER_KEY if its service has it. Nothing was backed up.`,
    )
  if (!databaseUrl && !hasEmbeddedDatabase(path.join(dataFolder, 'database')))
    throw new CopyRefused(
      'invalid',
      `There is no database in ${dataFolder}: set DATABASE_URL to the panel's PostgreSQL, as its service has it, or LODGE_DATA to its data folder. Nothing was backed up.`,
    )
  return vault
}

interface Connected extends AsyncDisposable {
  readonly connection: pg.PoolConfig
}

/** Uses the embedded database of a running panel, or starts it for the time of the backup. */
async function connect(config: Config, log: ReturnType<typeof openLog>): Promise<Connected> {
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

async function requirePanel(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    if (!(await hasData(client)))
      throw new CopyRefused('invalid', 'There is no panel here yet: nothing was backed up')
    const applied = new Set((await appliedMigrations(client)).map(({ name }) => name))
    if (knownMigrations().some(({ name }) => !applied.has(name)))
      throw new CopyRefused(
        'invalid',
        'The database is of an earlier version: start the panel once with this one, then back up',
      )
  } finally {
    client.release()
  }
}
