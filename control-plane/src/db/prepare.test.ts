import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database.ts'
import { auditPrivileges } from '../audit/privileges.ts'
import { applicationRoleOf } from './application-role.ts'
import { prepareDatabase } from './prepare.ts'

const log = pino({ level: 'silent' })
let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const prepare = (
  given: Pick<Parameters<typeof prepareDatabase>[0], 'owner'> &
    Partial<Parameters<typeof prepareDatabase>[0]>,
) =>
  prepareDatabase({
    application: undefined,
    password: 'a password',
    privileges: auditPrivileges,
    log,
    ...given,
  })

/** PostgreSQL's error code for what `connection` may not do. */
async function asks(connection: pg.ClientConfig, statement: string): Promise<string | undefined> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(statement)
    return undefined
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await client.end()
  }
}

describe('the role of the application', () => {
  test.each([
    ['delete audit entries', 'delete from audit_log'],
    ['delete seals', 'delete from audit_seals'],
    ['empty the audit log', 'truncate audit_log, audit_seals'],
    ['change an audit entry', `update audit_log set action = 'x'`],
    ['change a seal', `update audit_seals set signature = ''`],
    ['move the anchor of the chain', 'update audit_anchor set number = 1'],
    ['insert an anchor', `insert into audit_anchor (number, signature, proof) values (1, '', '')`],
    ['alter a table', 'alter table users add column x int'],
    ['drop a table', 'drop table audit_log'],
    ['create a table', 'create table mine (n int)'],
    ['create a function', 'create function mine() returns int language sql as $$ select 1 $$'],
    ['disable the triggers', 'alter table audit_log disable trigger all'],
    [
      'add a trigger',
      'create trigger mine before insert on audit_log execute function refuse_audit_change()',
    ],
    ['bypass the triggers', 'set session_replication_role = replica'],
    [
      'replace a function of the owner',
      'create or replace function forget_audit_records(bigint, bytea) returns bigint language sql as $$ select 1 $$',
    ],
    ['become the owner', 'set role postgres'],
    ['create roles', 'create role mine'],
    ['run a program', `copy (select 1) to program 'true'`],
    ['read a file', `select pg_read_file('/etc/passwd')`],
    ['reset a sequence', `select setval(pg_get_serial_sequence('audit_log', 'seq'), 1)`],
    ['change which migrations were applied', 'delete from drizzle.__drizzle_migrations'],
  ])('cannot %s', async (_what, statement) => {
    expect(await asks({ connectionString: database.application.url }, statement)).toBe('42501')
  })

  test('owns nothing and reads and writes every table, future ones included', async () => {
    const { pool } = database
    await pool.query('create table later (id bigserial primary key)')
    const { rows } = await database.application.pool.query<{ table: string; owns: boolean }>(
      `select relname as table, pg_has_role(relowner, 'member') as owns from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S') and (pg_has_role(relowner, 'member')
         or relkind <> 'S' and relname not like 'audit\\_%' and not (
           has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
           and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')))`,
    )
    expect(rows).toEqual([])
    await database.application.pool.query('insert into later default values')
  })

  test('is the only role that may call the functions of the owner', async () => {
    const { rows } = await database.pool.query(
      `select proname from pg_proc, aclexplode(proacl) where prosecdef
         and pronamespace = 'public'::regnamespace and grantee = 0`,
    )
    expect(rows).toEqual([])
  })
})

describe('deleting old audit entries', () => {
  const seal = (number: number, sealedDaysAgo: number, at = sealedDaysAgo) =>
    database.pool.query(
      `with sealed as (insert into audit_seals (number, seqs, row_hashes, count, signature, sealed_at)
         values ($1, '{}', '', 1, '\\x01', now() - $2 * interval '1 day'))
       insert into audit_log (id, at, actor_kind, action, detail, row_hash, seal)
       values ($4, now() - $3 * interval '1 day', 'system', 'x', '{}', '', $1)`,
      [number, sealedDaysAgo, at, randomUUID()],
    )
  const forget = (last: number) =>
    database.application.pool.query(`select forget_audit_records($1, '\\x02')::int as count`, [
      last,
    ])
  const left = async () =>
    (await database.pool.query('select seal::int from audit_log order by seal')).rows.map(
      (row) => row.seal,
    )

  test('deletes only the oldest end and records the cut, but nothing of the last 30 days', async () => {
    await seal(1, 40)
    await seal(2, 35)
    await seal(3, 29)
    // A row of today under an old seal, as an attacker would insert it to have it deleted.
    await seal(4, 36, 0)
    expect((await forget(2)).rows).toEqual([{ count: 2 }])
    expect(await left()).toEqual([3, 4])
    const anchor = await database.pool.query('select number::int, proof from audit_anchor')
    expect(anchor.rows).toEqual([{ number: 2, proof: Buffer.from([2]) }])
    for (const last of [3, 4]) await expect(forget(last)).rejects.toMatchObject({ code: '42501' })
    await expect(forget(99)).rejects.toMatchObject({ code: '22023' })
    expect(await left()).toEqual([3, 4])
    const guard = await database.pool.query(`select current_setting('lodge.audit_retention', true)`)
    expect(guard.rows[0].current_setting || '').toBe('')
  })
})

describe('partitions of metrics', () => {
  test.each([
    [`select make_metrics_partition('audit_log', 'audit_log_20260101', now(), now(), true)`],
    [`select make_metrics_partition('server_samples', 'users', now(), now(), true)`],
    [`select drop_metrics_partition('server_samples', 'audit_log')`],
    [`select drop_metrics_partition('audit_log', 'audit_log')`],
  ])('cannot be misused: %s', async (statement) => {
    expect(await asks({ connectionString: database.application.url }, statement)).toBe('42501')
  })
})

describe('preparing a database', () => {
  /**
   * A database as an earlier version left it: the owner owns everything, and nobody else has
   * access.
   */
  async function ownerOnly(): Promise<FreshDatabase> {
    const fresh = await freshDatabase()
    const { username } = new URL(fresh.application.url)
    await fresh.pool.query(`drop owned by ${pg.escapeIdentifier(username)}`)
    for (const role of ['public', pg.escapeIdentifier(username)])
      await fresh.pool.query(`revoke all on all functions in schema public from ${role}`)
    return fresh
  }

  test('of an earlier version creates the role, and a second run writes nothing', async () => {
    const fresh = await ownerOnly()
    const owner = parseIntoClientConfig(fresh.url)
    expect(await asks({ connectionString: fresh.application.url }, 'select from users')).toBe(
      '42501',
    )
    const [first] = await Promise.all([prepare({ owner }), prepare({ owner })])
    expect(first).toMatchObject({ concern: undefined })
    expect(first.connection.user).toBe(applicationRoleOf(owner.database ?? ''))
    expect(await asks(first.connection, 'insert into audit_seals select * from audit_seals')).toBe(
      undefined,
    )
    expect(await asks(first.connection, 'delete from audit_log')).toBe('42501')
    const catalogue = async () =>
      (await fresh.pool.query('select xmin::text, relname from pg_class order by relname')).rows
    const before = await catalogue()
    await prepare({ owner })
    expect(await catalogue()).toEqual(before)
    await fresh.drop()
    await database.pool.query(`drop role ${first.connection.user}`)
  })

  test('uses the role that the operator names, and says how to create a missing one', async () => {
    const fresh = await ownerOnly()
    const owner = parseIntoClientConfig(fresh.url)
    const application = parseIntoClientConfig(fresh.application.url)
    expect(await prepare({ owner, application })).toEqual({
      connection: application,
      concern: undefined,
    })
    expect(await asks(application, 'select from users')).toBe(undefined)
    await expect(
      prepare({ owner, application: { ...application, user: 'nobody_here' } }),
    ).rejects.toThrow(`Make it with: create role "nobody_here"`)
    await fresh.drop()
  })

  test('works as the owner with a warning if no role may be created or the named one is the owner', async () => {
    const fresh = await ownerOnly()
    const role = `owner_${randomUUID().replaceAll('-', '')}`
    await fresh.pool.query(`create role ${role} login password 'a password'`)
    const { rows } = await fresh.pool.query<{ name: string }>('select current_database() as name')
    await fresh.pool.query(`alter database ${rows[0]?.name} owner to ${role}`)
    await fresh.pool.query(
      `do $$ declare one text; begin
         for one in select oid::regclass from pg_class c
           where relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace) and relkind in ('r', 'p')
         loop execute 'alter table ' || one || ' owner to ${role}'; end loop;
         for one in select oid::regprocedure from pg_proc where pronamespace = 'public'::regnamespace
         loop execute 'alter function ' || one || ' owner to ${role}'; end loop;
       end $$`,
    )
    await fresh.pool.query(`alter schema drizzle owner to ${role}`)
    const owner = { ...parseIntoClientConfig(fresh.url), user: role, password: 'a password' }
    const unable = await prepare({ owner })
    expect(unable.connection).toBe(owner)
    expect(unable.concern).toContain('may not make roles')
    const same = await prepare({ owner, application: { ...owner } })
    expect(same.concern).toContain(`the role ${role} has the rights of the owner`)
    // Functions with the owner's rights still work.
    const dropped = `select drop_metrics_partition('server_samples', 'server_samples_20200101')`
    expect(await asks(same.connection, dropped)).toBe(undefined)
    await fresh.drop()
    await database.pool.query(`drop role ${role}`)
  })
})
