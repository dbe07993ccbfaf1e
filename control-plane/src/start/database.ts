import path from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Db, openDatabase, openPool } from '../db/database.ts'
import { startEmbeddedDatabase } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { type Storage, storageOf } from '../storage.ts'

export interface RunningDatabase {
  readonly connection: pg.ClientConfig
  readonly pool: pg.Pool
  readonly db: Db
  /** The disk that fills up: that of the embedded database, where there is one. */
  readonly storage: Storage
  stop(): Promise<void>
}

/** The operator's PostgreSQL or the embedded one, with the tables of this version. */
export async function startDatabase(config: Config, log: Logger): Promise<RunningDatabase> {
  const folder = path.join(config.dataFolder, 'database')
  const embedded = config.databaseUrl ? undefined : await startEmbeddedDatabase({ folder, log })
  const storage = storageOf(embedded ? folder : config.dataFolder)
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl?.reveal() }
  const pool = openPool(connection, { max: config.databaseConnections, log })
  await migrate(pool)
  return {
    connection,
    pool,
    db: openDatabase(pool),
    storage,
    async stop() {
      await pool.end()
      await embedded?.stop()
    },
  }
}
