import { glob } from 'node:fs/promises'
import path from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { requestOf } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { QUERIES } from '../support/queries.ts'
import { sampleOf } from '../support/samples.ts'
import { keyOf, paramsFor } from '../support/things.ts'

// While control planes are upgraded one by one, an older one reads rows that a newer one has written.

const NEWER = 'of_a_newer_version'
const SECRET = 'what_only_a_newer_version_hides'
const source = path.resolve(import.meta.dirname, '../../../control-plane/src')

/** Lists whose rows all contain such a value. */
const LISTS = [
  ...['/api/servers', '/api/servers/{id}/ports', '/api/servers/{id}/schedules'],
  ...['/api/templates', '/api/plans', '/api/plugins', '/api/notification-channels', '/api/audit'],
  ...['/api/billing', '/api/billing/subscriptions', '/api/status/incidents'],
  ...['/api/support/tickets', '/api/support/tiers', '/api/support/rules', '/api/failover/status'],
].map((path) => `GET ${path}`)

/**
 * Values of permissions: a caller with an unknown role or state is refused, and so is data that only
 * some may see.
 */
const NOT_SHOWN = ['users', 'sessions', 'support_articles']

/** Columns whose values this version knows by name. */
async function columnsOfKnownValues(): Promise<{ table: string; column: string }[]> {
  const columns = []
  for await (const file of glob('**/tables.ts', { cwd: source })) {
    const tables: Record<string, unknown> = await import(path.join(source, file))
    for (const table of Object.values(tables).filter((one) => is(one, PgTable))) {
      const { name, columns: all } = getTableConfig(table)
      if (NOT_SHOWN.includes(name)) continue
      for (const one of all) if (one.enumValues) columns.push({ table: name, column: one.name })
    }
  }
  return columns
}

/** Writes the values that a newer version leaves in the database. */
async function writeAsNewer({ pool }: Lodge['database']): Promise<void> {
  const client = await pool.connect()
  // Triggers would protect what an older version may not change.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint "${name}"`)
  for (const { table, column } of await columnsOfKnownValues())
    await client.query(`update ${table} set ${column} = $1 where ${column} is not null`, [NEWER])
  const entry = (field: string) => JSON.stringify([{ [field]: NEWER, secret: SECRET }])
  await client.query(
    `insert into schedules (id, server_id, cron, timezone, anchored_at, tasks, missed, enabled)
     select gen_random_uuid(), id, '30 4 * * *', 'UTC', now(), $1, $2, false from servers`,
    [entry('action'), NEWER],
  )
  await client.query('update support_rules set actions = $1', [entry('type')])
  await client.query('update notification_channels set style = $1', [`plugin:${NEWER}`])
  client.release(true)
}

test('every endpoint responds when rows contain values that only a newer version knows', async () => {
  await using lodge = await startLodge()
  const node = await lodge.node()
  const ground = { lodge, node, templateId: (await lodge.template()).id }
  const admin = await lodge.admin()
  const calls: { key: string; request: ReturnType<typeof requestOf> }[] = []
  for (const spec of Object.values<Declared>(routes)) {
    // A request that queries a node would wait for it.
    const isAsked = /\/(files|log)\b/.test(spec.path)
    if (spec.method !== 'GET' || spec.streams || spec.access.who === 'agent' || isAsked) continue
    const params = await paramsFor(ground, spec, admin.id)
    const query = QUERIES[keyOf(spec)] ?? (spec.query && (sampleOf(spec.query) as object)) ?? {}
    calls.push({ key: keyOf(spec), request: requestOf(keyOf(spec), { params, query }) })
  }
  const statuses = async () => {
    await lodge.database.pool.query('delete from rate_limits')
    const answers = new Map<string, string>()
    const newer: string[] = []
    for (const { key, request } of calls) {
      const { statusCode, body } = await admin.send(request)
      answers.set(key, `${statusCode}${statusCode < 500 ? '' : ` ${body}`}`)
      if (body.includes(NEWER)) newer.push(key)
      expect(body.includes(SECRET), key).toBe(false)
    }
    return { answers, newer }
  }
  const before = await statuses()
  await writeAsNewer(lodge.database)
  const after = await statuses()
  expect(after.answers).toEqual(before.answers)
  expect(after.newer).toEqual(expect.arrayContaining(LISTS))
})
