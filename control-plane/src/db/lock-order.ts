/**
 * The order in which a transaction locks rows: those of a table here only before those of the groups
 * below it. Two transactions that wait for each other's locks would end with one of them repeated. To
 * follow a link from below to above, such as from a token to its account, read the lower row without
 * a lock, lock the upper one, and read the lower one again under its lock. Several rows of one table
 * are locked in the order of their ids.
 *
 * Rows that are only reached under the lock of another (a job of a locked server, the rights of a
 * machine) need no place. The tests watch every transaction for it: test/run/lock-order.ts.
 */
export const LOCK_ORDER: readonly (readonly string[])[] = [
  ['users'],
  // What belongs to an account.
  [
    'account_tokens',
    'api_tokens',
    'auth_challenges',
    'former_addresses',
    'passkeys',
    'recovery_codes',
    'sessions',
    'totp_factors',
  ],
  ['servers'],
  // What belongs to a server.
  ['server_collaborators', 'server_holds', 'server_invitations', 'vm_snapshots'],
  ['nodes'],
  ['node_reports', 'server_ports', 'vm_networks'],
]
