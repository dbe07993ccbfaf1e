import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, requestOf } from '../../support/caller.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const logged: string[] = []
let lodge: Lodge
let admin: Caller
let server: string
let owner: Caller
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  lodge = await startLodge({ log })
  admin = await lodge.admin()
  const { id: templateId } = await lodge.template()
  const { id: nodeId } = await lodge.node()
  owner = await lodge.customer()
  server = await lodge.server({ ownerId: owner.id, templateId, nodeId, start: false })
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const tokenIn = (link: { url: string } | undefined) =>
  new URL(link?.url ?? '').hash.replace('#token=', '')

const address = () => `person-${randomUUID().slice(0, 8)}@example.com`

async function customer(state = 'active'): Promise<string> {
  const body = { email: address(), password: PASSWORD }
  const { id } = await admin.must('POST /api/customers', { body })
  await lodge.database.pool.query('update users set state = $2 where id = $1', [id, state])
  return id
}

/** Every endpoint that mails a link on somebody's behalf. */
const KINDS = {
  'POST /api/customers': async () =>
    admin.must('POST /api/customers', { body: { email: address() } }),
  'POST /api/customers/{id}/password-link': async () =>
    admin.must('POST /api/customers/{id}/password-link', { params: { id: await customer() } }),
  'POST /api/customers/{id}/resend-verification': async () =>
    admin.must('POST /api/customers/{id}/resend-verification', {
      params: { id: await customer('unverified') },
    }),
  'POST /api/team': async () =>
    admin.must('POST /api/team', { body: { email: address(), permissions: [] } }),
  'POST /api/servers/{id}/collaborators': async () =>
    owner.must('POST /api/servers/{id}/collaborators', {
      params: { id: server },
      body: { email: address(), permissions: ['console.read'], invite: true },
    }),
} as const

test.each(Object.entries(KINDS))(
  'without a mail server %s returns its link, which is recorded and never logged',
  async (endpoint, ask) => {
    const { link } = await ask()
    const url = new URL(link?.url ?? '')
    expect(url.origin).toBe(lodge.origin)
    const token = url.hash.replace('#token=', '')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(link?.expiresAt ?? '')).toBeGreaterThan(Date.now())
    expect(logged.filter((line) => line.includes(token))).toEqual([])
    const { rows } = await lodge.database.pool.query<{ detail: object }>(
      'select * from audit_log where action = $1 order by 1 desc limit 1',
      [endpoint],
    )
    expect(JSON.stringify(rows)).not.toContain(token)
    const { items } = await admin.must('GET /api/audit', { query: { limit: 5 } })
    expect(items[0]?.what).toMatch(/, and was shown the link$/)
  },
)

test('the link of a share is the same once its invitation was processed, also for people with an account', async () => {
  const guest = await lodge.customer()
  const { link } = await owner.must('POST /api/servers/{id}/collaborators', {
    params: { id: server },
    body: { email: guest.email, permissions: ['console.read'] },
  })
  await until(
    async () => (await guest.must('GET /api/notifications', { query: {} })).items.length > 0,
  )
  const { serverId } = await guest.must('POST /api/invitations/accept', {
    body: { token: tokenIn(link) },
  })
  expect(serverId).toBe(server)
})

test('A2: a customer who was shown the link of a share learns nothing about the address and cannot accept with it', async () => {
  const answers = await Promise.all(
    [(await lodge.customer()).email, address()].map(async (email) => {
      const { link } = await owner.must('POST /api/servers/{id}/collaborators', {
        params: { id: server },
        body: { email, permissions: ['console.read'], invite: true },
      })
      const token = tokenIn(link)
      const about = await owner.must('POST /api/invitations/look', { body: { token } })
      const body = { token, password: PASSWORD }
      const accepted = await owner.call('POST /api/invitations/accept', { body })
      const { rowCount } = await lodge.database.pool.query(
        'select from server_collaborators c join users u on u.id = c.user_id where u.email = $1',
        [email],
      )
      expect(rowCount).toBe(0)
      return {
        about: { ...about, email: '', expiresAt: '' },
        accepted: { ...accepted.body, instance: '' },
      }
    }),
  )
  expect(answers[0]?.accepted).toMatchObject({ status: 403, code: 'forbidden' })
  expect(answers[1]).toEqual(answers[0])
})

test('a link of a share that staff were shown works as if it had been mailed', async () => {
  const { link } = await admin.must('POST /api/servers/{id}/collaborators', {
    params: { id: server },
    body: { email: (await lodge.customer()).email, permissions: ['console.read'] },
  })
  const body = { token: tokenIn(link) }
  const { serverId } = await lodge.anonymous().must('POST /api/invitations/accept', { body })
  expect(serverId).toBe(server)
})

test('a request repeated under its key does not get the link again, and the link is not stored', async () => {
  const request = requestOf('POST /api/customers', { body: { email: address() } })
  const headers = { ...request.headers, 'idempotency-key': randomUUID() }
  const first = await admin.send({ ...request, headers })
  const again = await admin.send({ ...request, headers })
  expect(first.json().link).toBeDefined()
  expect(again.json()).toEqual({ ...first.json(), link: undefined })
})

test('a change that is repeated after a deadlock returns the link that works', async () => {
  const { pool } = lodge.database
  await pool.query(`
    create sequence deadlocks;
    create function deadlock_once() returns trigger language plpgsql security definer as $$ begin
      if nextval('public.deadlocks') = 1 then raise 'deadlock' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger deadlock_once before insert on email_messages for each row execute function deadlock_once()`)
  const { link } = await admin.must('POST /api/customers', { body: { email: address() } })
  await pool.query('drop function deadlock_once cascade')
  const body = { token: tokenIn(link) }
  const { purpose } = await lodge.anonymous().must('POST /api/auth/token/look', { body })
  expect(purpose).toBe('invitation')
})

test('an API token does not get a link', async () => {
  const { secret } = await admin.must('POST /api/tokens', {
    body: { name: 'shop', scopes: ['provision'] },
  })
  const request = requestOf('POST /api/customers', { body: { email: address() } })
  const headers = { ...request.headers, authorization: `Bearer ${secret}` }
  const made = await lodge.anonymous().send({ ...request, headers })
  expect(made.statusCode).toBe(201)
  expect(made.json().link).toBeUndefined()
})

test('a password link needs a recent step-up', async () => {
  const id = await customer()
  const helper = await lodge.limitedAdmin(['customers.view', 'customers.manage'])
  await lodge.database.pool.query('update sessions set proved_at = null where user_id = $1', [
    helper.id,
  ])
  const answer = await helper.call('POST /api/customers/{id}/password-link', { params: { id } })
  expect(answer.body).toMatchObject({ code: 'reauthentication_required' })
})

test('with a mail server no response contains a link', async () => {
  await using sink = await new SmtpSink().listen()
  await admin.must('PUT /api/settings/mail', { body: sink.settings })
  for (const ask of Object.values(KINDS)) expect(await ask()).not.toHaveProperty('link')
})
