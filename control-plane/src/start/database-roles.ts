import type { ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Config } from '../config.ts'
import type { Vault } from '../secrets/vault.ts'

/** Connections of the tables' owner and of the application. */
export function databaseRoles(
  { applicationDatabaseUrl }: Pick<Config, 'applicationDatabaseUrl'>,
  given: {
    readonly owner: ClientConfig
    readonly isEmbedded: boolean
    readonly vault: Vault
  },
): {
  owner: ClientConfig
  application: ClientConfig | undefined
  password: string | undefined
} {
  const { owner, isEmbedded, vault } = given
  return {
    owner,
    application: applicationDatabaseUrl && parseIntoClientConfig(applicationDatabaseUrl.reveal()),
    // Derived, so that all instances agree and it is stored nowhere. The embedded database needs
    // none: only its own account can reach its socket.
    password: isEmbedded
      ? undefined
      : vault.sign('role of the application', owner.database ?? '').toString('base64url'),
  }
}
