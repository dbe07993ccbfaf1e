import type { ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Config } from '../config.ts'
import type { EmbeddedDatabase } from '../embedded-postgres/supervisor.ts'
import type { Vault } from '../secrets/vault.ts'

/** Who owns the tables, and as whom the application works on them. */
export function databaseRoles(
  { databaseUrl, applicationDatabaseUrl }: Pick<Config, 'databaseUrl' | 'applicationDatabaseUrl'>,
  embedded: Pick<EmbeddedDatabase, 'connection'> | undefined,
  vault: Vault,
): {
  owner: ClientConfig
  application: ClientConfig | undefined
  password: string | undefined
} {
  const owner = embedded?.connection ?? parseIntoClientConfig(databaseUrl?.reveal() ?? '')
  return {
    owner,
    application: applicationDatabaseUrl && parseIntoClientConfig(applicationDatabaseUrl.reveal()),
    // The same for all instances on one database, and kept nowhere. The embedded one asks for none:
    // its socket is reached only by its own account.
    password: embedded
      ? undefined
      : vault.sign('role of the application', owner.database ?? '').toString('base64url'),
  }
}
