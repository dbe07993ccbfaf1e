import pg from 'pg'
import type { Logger } from 'pino'
import { lockSession } from './advisory-locks.ts'
import { applicationRoleOf, grantTo, makeRole, type TablePrivileges } from './application-role.ts'
import { migrate } from './migrate.ts'

export interface PreparedDatabase {
  /** The role for all connections at run time. */
  readonly connection: pg.ClientConfig
  /**
   * Why the application has more rights than it needs, and the remedy; undefined if all is well.
   */
  readonly concern: string | undefined
}

/**
 * Migrates the schema as its owner and gives the application a role that owns nothing: SQL injected
 * into one of our statements then cannot alter tables or triggers, or truncate the audit log. If
 * the role may not be created, Lodge works as the owner and says so.
 * @param given.application the operator's connection for the application; without it, a role is
 * created
 * @param given.password for the created role; undefined if the server trusts its socket
 * @throws if the operator's connection does not work
 */
export async function prepareDatabase(given: {
  readonly owner: pg.ClientConfig
  readonly application: pg.ClientConfig | undefined
  readonly password: string | undefined
  readonly privileges: readonly TablePrivileges[]
  readonly log: Logger
}): Promise<PreparedDatabase> {
  const pool = new pg.Pool({ ...given.owner, max: 1, application_name: 'lodge-owner' })
  // The next statement fails with the error.
  pool.on('error', () => undefined)
  try {
    await migrate(pool)
    const client = await pool.connect()
    const connection = await openRole(client, given).finally(() => client.release(true))
    const why = connection ? await tooMuch(connection, given) : 'DATABASE_URL may not make roles'
    if (connection && why === undefined) return { connection, concern: undefined }
    const concern = `Lodge works on its database with the rights of the owner of its tables: ${why}. Give it a role of its own with LODGE_APPLICATION_DATABASE_URL.`
    given.log.warn(concern)
    return { connection: given.application ?? given.owner, concern }
  } finally {
    await pool.end()
  }
}

type Given = Parameters<typeof prepareDatabase>[0]

/** @returns how the application connects; undefined if there is no role and none may be created */
async function openRole(client: pg.PoolClient, given: Given): Promise<pg.ClientConfig | undefined> {
  const { application, owner, password, privileges } = given
  const asked = new pg.Client(application ?? owner)
  const role = application ? asked.user : applicationRoleOf(asked.database ?? '')
  if (!role) throw new Error('LODGE_APPLICATION_DATABASE_URL names no role')
  // Released with the connection. Instances starting at once would update the same catalogue rows.
  await lockSession(client, 'applicationRole')
  const connection = application ?? { ...owner, user: role, ...(password && { password }) }
  const works = application !== undefined || (await answers(connection))
  if (!works && !(await makeRole(client, role, password))) return undefined
  const { rows } = await client.query<{ owns: boolean }>(
    `select pg_has_role(rolname, current_user, 'member') as owns from pg_roles where rolname = $1`,
    [role],
  )
  if (!rows[0])
    throw new Error(
      `LODGE_APPLICATION_DATABASE_URL: there is no role ${role}. Make it with: create role ${pg.escapeIdentifier(role)} login password '...'`,
    )
  // The owner needs no grants, and must not lose its own.
  if (rows[0].owns) return connection
  await client.query('begin')
  await grantTo(client, role, privileges)
  await client.query('commit')
  return connection
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Why the application has more rights than it needs, or cannot connect. */
async function tooMuch(
  connection: pg.ClientConfig,
  { application }: Given,
): Promise<string | undefined> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ role: string; owns: boolean }>(
      `select current_user as role, exists (select from pg_class
         where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'member')) as owns`,
    )
    return rows[0]?.owns ? `the role ${rows[0].role} has the rights of the owner` : undefined
  } catch (error) {
    if (application) throw error
    return `the role made for it cannot connect: ${error instanceof Error ? error.message : error}`
  } finally {
    await client.end().catch(() => undefined)
  }
}
