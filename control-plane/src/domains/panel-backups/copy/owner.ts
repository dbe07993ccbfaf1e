import path from 'node:path'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Config } from '../../../config.ts'
import { type EmbeddedLog, startEmbeddedDatabase } from '../../../embedded-postgres/supervisor.ts'

/** A connection as the owner of the tables, and the embedded database if that is ours. */
export interface OwnerConnection extends AsyncDisposable {
  readonly client: pg.Client
}

type Where = Pick<Config, 'dataFolder' | 'databaseUrl'>

/** Opens it. Requires that no control plane uses the data folder. */
export async function openOwner(
  { dataFolder, databaseUrl }: Where,
  log: EmbeddedLog,
): Promise<OwnerConnection> {
  const embedded = databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ folder: path.join(dataFolder, 'database'), log })
  const client = new pg.Client({
    ...(embedded?.connection ?? parseIntoClientConfig(databaseUrl?.reveal() ?? '')),
    application_name: 'lodge-restore',
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined)
      await embedded?.stop()
    },
  }
}
