import path from 'node:path'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { TablePrivileges } from '../db/application-role.ts'
import { type Channels, openChannels } from '../db/channels.ts'
import { type Db, openDatabase, openPool } from '../db/database.ts'
import { prepareDatabase } from '../db/prepare.ts'
import { hasData } from '../domains/panel-backups/index.ts'
import { startEmbeddedDatabase } from '../embedded-postgres/supervisor.ts'
import { findVault, openVault, type Vault } from '../secrets/vault.ts'
import { type Storage, storageOf } from '../storage.ts'
import { databaseRoles } from './database-roles.ts'

/** One records the heartbeats of all nodes, one waits for a node whose row is locked. */
const HEARTBEAT_CONNECTIONS = 2

export interface RunningDatabase {
  /** Connects as the application role. */
  readonly pool: pg.Pool
  readonly channels: Channels
  readonly db: Db
  /** The same over connections of its own. */
  readonly heartbeatDb: Db
  /** Opens what is encrypted in it. */
  readonly vault: Vault
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
    readonly privileges: readonly TablePrivileges[]
    readonly log: Logger
  },
): Promise<RunningDatabase> {
  const { privileges, log } = given
  const folder = path.join(config.dataFolder, 'database')
  const embedded = config.databaseUrl ? undefined : await startEmbeddedDatabase({ folder, log })
  const storage = storageOf(embedded ? folder : config.dataFolder)
  const owner = embedded?.connection ?? parseIntoClientConfig(config.databaseUrl?.reveal() ?? '')
  const vault = await vaultOf(config, owner).catch(async (error: unknown) => {
    await embedded?.stop()
    throw error
  })
  const roles = databaseRoles(config, { owner, isEmbedded: embedded !== undefined, vault })
  const { connection, concern } = await prepareDatabase({ ...roles, privileges, log })
  const pool = openPool(connection, { max: config.databaseConnections, log })
  const heartbeatPool = openPool(connection, { max: HEARTBEAT_CONNECTIONS, log })
  const channels = openChannels(connection, log)
  return {
    pool,
    channels,
    db: openDatabase(pool),
    heartbeatDb: openDatabase(heartbeatPool),
    vault,
    storage,
    concern,
    async stop() {
      await channels.stop()
      await Promise.all([pool.end(), heartbeatPool.end()])
      await embedded?.stop()
    },
  }
}

/**
 * The vault of the database. Refuses a database that was in use with another master key, which happens
 * when the data folder is not the panel's: a new key could open nothing that is sealed in it.
 */
async function vaultOf(config: Config, owner: pg.ClientConfig): Promise<Vault> {
  const { dataFolder, masterKey } = config
  const folder = path.join(dataFolder, 'secrets')
  const present = await findVault(folder, masterKey)
  if (present) return present
  const client = new pg.Client(owner)
  client.on('error', () => undefined)
  await client.connect()
  const isPanel = await hasData(client).finally(() => client.end())
  if (isPanel)
    throw new Error(
      `The database holds a panel, but its master key is not in ${folder}: set LODGE_DATA to the data folder of that panel, or set LODGE_MASTER_KEY`,
    )
  return await openVault(folder, masterKey)
}
