import path from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { TablePrivileges } from '../db/application-role.ts'
import { type Channels, openChannels } from '../db/channels.ts'
import { type Db, openDatabase, openPool } from '../db/database.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { startEmbeddedDatabase } from '../embedded-postgres/supervisor.ts'
import type { Vault } from '../secrets/vault.ts'
import { type Storage, storageOf } from '../storage.ts'
import { databaseRoles } from './database-roles.ts'

export interface RunningDatabase {
  /** Connects as the application role. */
  readonly pool: pg.Pool
  readonly channels: Channels
  readonly db: Db
  /** The disk to watch: that of the embedded database, if used. */
  readonly storage: Storage
  /** Why the application has more database rights than it needs; undefined if it has not. */
  readonly concern: string | undefined
  stop(): Promise<void>
}

/** Opens the operator's PostgreSQL or the embedded one and migrates it. */
export async function startDatabase(
  config: Config,
  given: {
    readonly vault: Vault
    readonly privileges: readonly TablePrivileges[]
    readonly log: Logger
  },
): Promise<RunningDatabase> {
  const { vault, privileges, log } = given
  const folder = path.join(config.dataFolder, 'database')
  const embedded = config.databaseUrl ? undefined : await startEmbeddedDatabase({ folder, log })
  const storage = storageOf(embedded ? folder : config.dataFolder)
  const roles = databaseRoles(config, embedded, vault)
  const { connection, concern } = await prepareDatabase({ ...roles, privileges, log })
  const pool = openPool(connection, { max: config.databaseConnections, log })
  const channels = openChannels(connection, log)
  return {
    pool,
    channels,
    db: openDatabase(pool),
    storage,
    concern,
    async stop() {
      await channels.stop()
      await pool.end()
      await embedded?.stop()
    },
  }
}
