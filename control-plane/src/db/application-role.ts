import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { databaseFault } from './fault.ts'

/** What the application may do with a table, if not full read and write access. */
export interface TablePrivileges {
  readonly table: string
  readonly may: readonly ('select' | 'insert' | 'update' | 'delete')[]
  /** Columns that it may update although `may` lacks `update`. */
  readonly sets?: readonly string[]
}

type Queryable = Pick<pg.Client, 'query'>

const EVERYTHING = ['select', 'insert', 'update', 'delete'] as const
const LONGEST_NAME_BYTES = 63
const SCRAM_ITERATIONS = 4096

/**
 * Lodge's role on the database of this name. Named per database, since one server may hold several.
 */
export function applicationRoleOf(database: string): string {
  const suffix = '_application'
  const name = Buffer.from(database).subarray(0, LONGEST_NAME_BYTES - suffix.length)
  return name.toString() + suffix
}

/**
 * Creates the role or resets its password.
 * @param password undefined if the server trusts connections on its socket
 * @returns false if the connected role may not create roles
 */
export async function makeRole(
  owner: Queryable,
  role: string,
  password: string | undefined,
): Promise<boolean> {
  const { rows } = await owner.query<{ there: boolean }>(
    'select exists (select from pg_roles where rolname = $1) as there',
    [role],
  )
  const there = rows[0]?.there ?? false
  if (there && password === undefined) return true
  const secret = password === undefined ? '' : `password ${pg.escapeLiteral(scram(password))}`
  try {
    await owner.query(
      `${there ? 'alter' : 'create'} role ${pg.escapeIdentifier(role)} login ${secret}`,
    )
    return true
  } catch (error) {
    if (databaseFault(error)?.code === '42501') return false
    throw error
  }
}

/**
 * The SCRAM verifier that PostgreSQL stores, computed here so that the password never appears in
 * its logs.
 */
function scram(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest()
  const server = keyed('Server Key')
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored.toString('base64')}:${server.toString('base64')}`
}

/**
 * Grants what the role needs and revokes the rest, on existing and future tables. Writes only where
 * something differs, because a grant changes the catalogue.
 * @param owner the owner of the tables, preferably in a transaction
 */
export async function grantTo(
  owner: Queryable,
  role: string,
  exceptions: readonly TablePrivileges[],
): Promise<void> {
  const name = pg.escapeIdentifier(role)
  await grantSchemas(owner, role, name)
  const { rows: tables } = await owner.query<{ table: string; held: string[]; sets: string[] }>(
    `select c.relname as table,
       array(select lower(privilege_type) from aclexplode(c.relacl) where grantee = $1::regrole order by 1) as held,
       array(select attname::text from pg_attribute a, aclexplode(a.attacl) acl
         where a.attrelid = c.oid and acl.grantee = $1::regrole and acl.privilege_type = 'UPDATE' order by 1) as sets
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
    [name],
  )
  for (const { table, held, sets } of tables) {
    const wanted = exceptions.find((one) => one.table === table)
    const columns = wanted?.sets ?? []
    const may = wanted?.may ?? EVERYTHING
    if (same(held, may) && same(sets, columns)) continue
    const on = `public.${pg.escapeIdentifier(table)}`
    await owner.query(`revoke all on ${on} from ${name}`)
    await owner.query(`grant ${may.join(', ')} on ${on} to ${name}`)
    if (columns.length > 0)
      await owner.query(
        `grant update (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')}) on ${on} to ${name}`,
      )
  }
  await grantFunctions(owner, name)
}

async function grantSchemas(owner: Queryable, role: string, name: string): Promise<void> {
  const { rows } = await owner.query<{
    database: string
    connects: boolean
    creates: boolean
    uses: boolean
    reads: boolean
    later: boolean
  }>(
    `select current_database() as database,
       has_database_privilege($1, current_database(), 'connect') as connects,
       has_schema_privilege($1, 'public', 'create') as creates,
       has_schema_privilege($1, 'public', 'usage') and has_schema_privilege($1, 'drizzle', 'usage') as uses,
       has_table_privilege($1, 'drizzle.__drizzle_migrations', 'select') as reads,
       (select count(distinct defaclobjtype) = 2 from pg_default_acl, aclexplode(defaclacl)
         where defaclnamespace = 'public'::regnamespace and defaclrole = current_user::regrole
           and grantee = $2::regrole) as later`,
    [role, name],
  )
  const now = rows[0]
  if (!now?.connects)
    await owner.query(
      `grant connect on database ${pg.escapeIdentifier(now?.database ?? '')} to ${name}`,
    )
  // Databases created before PostgreSQL 15 let every role create tables.
  if (now?.creates) await owner.query(`revoke create on schema public from public, ${name}`)
  if (!now?.uses) await owner.query(`grant usage on schema public, drizzle to ${name}`)
  if (!now?.reads) await owner.query(`grant select on drizzle.__drizzle_migrations to ${name}`)
  if (now?.later) return
  const to = 'alter default privileges in schema public grant'
  await owner.query(`${to} ${EVERYTHING.join(', ')} on tables to ${name}`)
  await owner.query(`${to} usage on sequences to ${name}`)
}

/** Only the application may execute the functions that run with the owner's rights. */
async function grantFunctions(owner: Queryable, name: string): Promise<void> {
  const { rows: sequences } = await owner.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S'
       and not exists (select from aclexplode(relacl) where grantee = $1::regrole)`,
    [name],
  )
  for (const one of sequences) await owner.query(`grant usage on sequence ${one.name} to ${name}`)
  const { rows: functions } = await owner.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = 'public'::regnamespace and prosecdef
       and (proacl is null or exists (select from aclexplode(proacl) where grantee = 0)
         or not exists (select from aclexplode(proacl) where grantee = $1::regrole))`,
    [name],
  )
  for (const one of functions) {
    await owner.query(`revoke all on function ${one.name} from public`)
    await owner.query(`grant execute on function ${one.name} to ${name}`)
  }
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join()
