import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../../control-plane/src/api.ts'
import { deleteOldRecords } from '../../../control-plane/src/audit/retention.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
let count = 0
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const list = async (query: object = {}) =>
  (await (await lodge.admin()).must('GET /api/audit', { query: { limit: 100, ...query } })).items
const verify = async () => (await lodge.admin()).must('GET /api/audit/verify')
const sealed = () => until(async () => (await verify()).unsealed === 0)

async function customer(): Promise<string> {
  const body = { email: `audited-${++count}@example.com`, password: PASSWORD, name: 'Ada' }
  return (await (await lodge.admin()).must('POST /api/customers', { body })).id
}

describe('the record', () => {
  test('shows who changed what, without its secrets', async () => {
    const admin = await lodge.admin()
    const id = await customer()
    await admin.must('PATCH /api/customers/{id}', { params: { id }, body: { name: 'Grace' } })
    const [edit, creation] = await list({ targetId: id })
    expect(edit).toMatchObject({
      action: 'PATCH /api/customers/{id}',
      actor: { kind: 'user', id: admin.id, email: 'root@example.com' },
      address: admin.address,
      detail: { body: { name: 'Grace' } },
    })
    expect(creation).toMatchObject({
      action: 'POST /api/customers',
      detail: { body: { name: 'Ada' } },
    })
    const { rows } = await lodge.database.pool.query('select detail from audit_log')
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
  })

  test('contains no refused and no read-only requests', async () => {
    const admin = await lodge.admin()
    const before = (await list()).length
    await admin.call('PATCH /api/customers/{id}', {
      params: { id: crypto.randomUUID() },
      body: { name: 'X' },
    })
    await admin.call('POST /api/customers', { body: { email: 'root@example.com' } })
    await (await lodge.customer()).call('POST /api/customers', { body: { email: 'a@example.com' } })
    await admin.must('GET /api/customers')
    expect((await list()).length).toBe(before)
  })

  test('is written in the transaction of the change: without the record there is no change', async () => {
    const { pool } = lodge.database
    await pool.query(
      `alter table audit_log add constraint broken check (action <> 'POST /api/customers') not valid`,
    )
    const email = `unrecorded-${++count}@example.com`
    const answer = await (await lodge.admin()).call('POST /api/customers', { body: { email } })
    await pool.query('alter table audit_log drop constraint broken')
    expect(answer.status).toBe(500)
    expect((await pool.query('select 1 from users where email = $1', [email])).rows).toEqual([])
  })

  test('names the API token that acted', async () => {
    const { id, secret } = await (await lodge.admin()).must('POST /api/tokens', {
      body: { name: 't', scopes: ['provision'] },
    })
    const response = await lodge.anonymous().send({
      method: 'POST',
      url: '/api/customers',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ email: `by-token-${++count}@example.com`, password: PASSWORD }),
    })
    expect(response.statusCode).toBe(201)
    const [entry] = await list({ targetId: response.json().id })
    expect(entry?.actor).toMatchObject({ kind: 'token', tokenId: id })
  })

  test('contains sign-ins', async () => {
    const id = await customer()
    const caller = lodge.anonymous()
    const body = { email: `audited-${count}@example.com`, password: PASSWORD }
    await caller.must('POST /api/auth/login', { body })
    expect(await list({ actorId: id })).toMatchObject([
      { action: 'signed in', address: caller.address },
    ])
  })

  test('is paged and filtered', async () => {
    const ids = [await customer(), await customer(), await customer()]
    const admin = await lodge.admin()
    const query = { action: 'post /api/customers', actorId: admin.id, limit: 2 }
    const first = await admin.must('GET /api/audit', { query })
    const second = await admin.must('GET /api/audit', {
      query: { ...query, after: first.nextCursor ?? '' },
    })
    const targets = [...first.items, ...second.items].map((item) => item.targetId)
    expect(targets.slice(0, 3)).toEqual(ids.toReversed())
    expect(await list({ to: '2020-01-01T00:00:00Z' })).toEqual([])
    const bad = await admin.call('GET /api/audit', {
      query: {
        after: Buffer.from(JSON.stringify(['x', crypto.randomUUID()])).toString('base64url'),
      },
    })
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
  })

  test('is exported completely, as JSON lines', async () => {
    const response = await (await lodge.admin()).send({ url: '/api/audit/export' })
    expect(response.headers['content-type']).toMatch(/^application\/x-ndjson/)
    const lines = response.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { rows } = await lodge.database.pool.query('select count(*)::int as count from audit_log')
    expect(lines).toHaveLength(rows[0].count)
    expect(lines[0].seq).toBeGreaterThan(lines[1].seq)
  })
})

async function serverNamed(name: string): Promise<string> {
  const node = await lodge.node()
  await lodge.standIn(node)
  const { id: ownerId } = await lodge.customer()
  const { id: templateId } = await lodge.template()
  return lodge.server({ name, ownerId, templateId, nodeId: node.id })
}

describe('an entry in words', () => {
  test('exists for every recorded endpoint', () => {
    const declared: readonly Declared[] = Object.values(routes)
    const silent = declared
      .filter(({ method, access, recorded }) => {
        const byPeople = access.who === 'user' || access.who === 'admin'
        return method !== 'GET' && byPeople && recorded !== false
      })
      .map(({ method, path }) => `${method} ${path}`)
      .filter((action) => !lodge.controlPlane.services.catalogue.actions.has(action))
    expect(silent).toEqual([])
  })

  test('says what was done to what, by its name at the time', async () => {
    const admin = await lodge.admin()
    const id = await serverNamed('my-first-server')
    await admin.must('POST /api/servers/{id}/actions', {
      params: { id },
      body: { action: 'stop' },
    })
    await admin.must('PATCH /api/servers/{id}', { params: { id }, body: { name: 'renamed' } })
    const what = (await list({ targetId: id })).map((entry) => entry.what)
    expect(what.slice(0, 2)).toEqual(['changed my-first-server', 'stopped my-first-server'])
    const customerId = await customer()
    const [made] = await list({ targetId: customerId })
    expect(made?.what).toBe('created the customer Ada')
  })

  test('can be searched, and entries without changes can be left out', async () => {
    const admin = await lodge.admin()
    const id = await serverNamed('looked at')
    const params = { id }
    await admin.must('POST /api/servers/{id}/actions', { params, body: { action: 'kill' } })
    await admin.must('POST /api/servers/{id}/console-ticket', { params, body: {} })
    const all = (await list({ targetId: id })).map((entry) => entry.what)
    expect(all).toContain('opened the console of looked at')
    const changes = (await list({ targetId: id, only: 'changes' })).map((entry) => entry.what)
    expect(changes).toContain('killed looked at')
    expect(changes).not.toContain('opened the console of looked at')
    expect((await list({ q: 'KILLED', targetId: id })).map((entry) => entry.what)).toEqual([
      'killed looked at',
    ])
    expect((await list({ q: 'looked at' })).length).toBe(all.length)
  })
})

const guard = async (how: 'disable' | 'enable') => {
  for (const table of ['audit_log', 'audit_seals'])
    await lodge.database.pool.query(`alter table ${table} ${how} trigger user`)
}

describe('the database itself', () => {
  test.each([
    [`update audit_log set action = 'x' where seq = $1`],
    [`update audit_log set seal = null where seq = $1`],
    [`update audit_log set seal = seal + 1 where seq = $1`],
    ['delete from audit_log where seq = $1'],
    [`update audit_seals set signature = '' where number > $1::int - 1000000`],
    ['delete from audit_seals where number > $1::int - 1000000'],
  ])('refuses to %s', async (change) => {
    await customer()
    await sealed()
    const { rows } = await lodge.database.pool.query('select max(seq)::int as seq from audit_log')
    await expect(lodge.database.pool.query(change, [rows[0].seq])).rejects.toMatchObject({
      code: '42501',
    })
  })

  test('refuses to empty the record, and to delete recent rows even for retention', async () => {
    const { pool } = lodge.database
    await expect(pool.query('truncate audit_log')).rejects.toMatchObject({ code: '42501' })
    const client = await pool.connect()
    await client.query('begin')
    await client.query(`select set_config('lodge.audit_retention', 'on', true)`)
    await expect(client.query('delete from audit_log')).rejects.toMatchObject({ code: '42501' })
    await client.query('rollback')
    client.release()
  })
})

describe('retention', () => {
  test('deletes whole seals that are old enough, and the rest still verifies', async () => {
    const { pool } = lodge.database
    for (let at = 0; at < 3; at++) {
      await customer()
      await sealed()
    }
    const before = await verify()
    await guard('disable')
    const cut = (before.head?.number ?? 0) - 1
    await pool.query(
      `update audit_seals set sealed_at = now() - interval '731 days' where number <= $1`,
      [cut],
    )
    const { rows } = await pool.query(
      `update audit_log set at = at - interval '800 days' where seal <= $1 returning seq`,
      [cut],
    )
    await guard('enable')
    const done = await deleteOldRecords(lodge.controlPlane.services, 730)
    expect(done.rows).toBe(rows.length)
    const after = await verify()
    expect(after).toMatchObject({ ok: true, begins: { after: cut } })
    expect(after.rows).toBe(before.rows - rows.length)
  })

  test('cannot be faked: a chain that somebody else truncated is reported', async () => {
    const { pool } = lodge.database
    await customer()
    await sealed()
    const [anchor] = (await pool.query('select * from audit_anchor')).rows
    const [first] = (await pool.query('select * from audit_seals order by number limit 1')).rows
    const put = (number: number, signature: Buffer) =>
      pool.query('update audit_anchor set number = $1, signature = $2', [number, signature])
    await put(first.number, first.signature)
    const found = await verify()
    await put(anchor.number, anchor.signature)
    expect(found.faults).toContainEqual({
      seal: Number(first.number),
      seq: null,
      fault: 'the beginning was put in',
    })
    expect((await verify()).ok).toBe(true)
  })
})

describe('tampering', () => {
  /** Changes something directly in the database, returns the verifier's findings, and reverts it. */
  async function tampered(change: string, undo: string, values: unknown[]) {
    const { pool } = lodge.database
    await pool.query(change, values)
    const found = await verify()
    await pool.query(undo, values)
    return found
  }
  // Only the owner of the tables can disable their guard; the seals protect against that.
  beforeAll(() => guard('disable'))
  afterAll(() => guard('enable'))
  const aRow = async (): Promise<number> =>
    (
      await lodge.database.pool.query(
        `select seq from audit_log where seal is not null order by seq desc offset 2 limit 1`,
      )
    ).rows[0].seq

  test('is not reported when there is none', async () => {
    await Promise.all(Array.from({ length: 10 }, customer))
    await sealed()
    const found = await verify()
    expect(found).toMatchObject({ ok: true, faults: [] })
    expect(found.rows).toBeGreaterThan(10)
  })

  test.each([
    ['who did it', 'actor_email', `actor_email || 'x'`],
    ['what was done', 'action', `action || 'x'`],
    ['when', 'at', `at + interval '1 hour'`],
    ['the detail', 'detail', `'{"a":1}'`],
    ['the hash', 'row_hash', `'\\x00'::bytea`],
  ])('with %s is reported with its row', async (_what, column, to) => {
    await sealed()
    const seq = await aRow()
    const { pool } = lodge.database
    const { rows } = await pool.query(`select ${column} as was from audit_log where seq = $1`, [
      seq,
    ])
    await pool.query(`update audit_log set ${column} = ${to} where seq = $1`, [seq])
    const found = await verify()
    await pool.query(`update audit_log set ${column} = $2 where seq = $1`, [seq, rows[0].was])
    expect(found.ok).toBe(false)
    expect(found.faults).toMatchObject([{ seq, fault: 'the row was changed' }])
    expect((await verify()).ok).toBe(true)
  })

  test('by removing a row is reported', async () => {
    await sealed()
    const seq = await aRow()
    const { pool } = lodge.database
    await pool.query(`create table kept as select * from audit_log where seq = ${Number(seq)}`)
    const found = await tampered(
      'delete from audit_log where seq = $1',
      'insert into audit_log overriding system value select * from kept where seq = $1',
      [seq],
    )
    expect(found.faults).toMatchObject([{ seq, fault: 'the row was removed' }])
    expect((await verify()).ok).toBe(true)
  })

  test('by rewriting a row together with its hash and its seal is still detected', async () => {
    await sealed()
    const { pool } = lodge.database
    const { rows } = await pool.query('select * from audit_seals order by number desc limit 1')
    const found = await tampered(
      'update audit_seals set row_hashes = set_byte(row_hashes, 0, get_byte(row_hashes, 0) # 1) where number = $1',
      'update audit_seals set row_hashes = set_byte(row_hashes, 0, get_byte(row_hashes, 0) # 1) where number = $1',
      [rows[0].number],
    )
    expect(found.faults).toContainEqual({
      seal: rows[0].number,
      seq: null,
      fault: 'the seal was changed',
    })
  })
})

test('two control planes seal one chain while both record', async () => {
  await using beside = await lodge.beside()
  const { id } = await lodge.admin()
  const [here, there] = [await lodge.session(id), await beside.session(id)]
  await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      (at % 2 ? here : there).must('PUT /api/auth/preferences', { body: { mode: 'dark' } }),
    ),
  )
  await sealed()
  expect(await verify()).toMatchObject({ ok: true, faults: [] })
})

test('the owner of a server sees its activity without names from the host', async () => {
  const admin = await lodge.admin()
  const owner = await lodge.customer()
  const node = await lodge.node()
  const template = await lodge.template()
  const id = await lodge.server({ ownerId: owner.id, templateId: template.id, nodeId: node.id })
  const settings = {
    params: { id },
    body: { mode: 'never', maxRestarts: 1, windowMinutes: 1, backoffSeconds: [1] },
  }
  await owner.must('PUT /api/servers/{id}/crash-policy', settings as never)
  const { items } = await owner.must('GET /api/servers/{id}/activity', { params: { id } })
  expect(items.map(({ actor, action }) => [actor, action])).toEqual([
    [owner.email, 'PUT /api/servers/{id}/crash-policy'],
    ['The host', 'POST /api/servers'],
  ])
  const seen = await admin.must('GET /api/servers/{id}/activity', { params: { id } })
  expect(seen.items[1]?.actor).toBe('root@example.com')
  const jobsOf = async (caller: typeof owner) =>
    (await caller.must('GET /api/jobs', { query: { serverId: id } })).items
  expect((await jobsOf(owner)).map(({ startedBy }) => startedBy)).toEqual(['The host'])
  expect((await jobsOf(admin)).map(({ startedBy }) => startedBy)).toEqual(['root@example.com'])
  const guest = { email: 'guest@example.com', permissions: ['power.start' as const] }
  await admin.must('POST /api/servers/{id}/collaborators', { params: { id }, body: guest })
  const shared = await owner.must('GET /api/servers/{id}/collaborators', { params: { id } })
  expect(shared.items[0]?.invitedBy).toBe('The host')
  const answers = [await jobsOf(owner), items, shared]
  expect(JSON.stringify(answers)).not.toContain('root@example.com')
  const stranger = await lodge.customer()
  const hidden = await stranger.call('GET /api/servers/{id}/activity', { params: { id } })
  expect(hidden.status).toBe(404)
})
