import { MAX_ATTACHMENT_BYTES } from '@lodge/shared/attachments.ts'
import { APPEAL_MOVES, APPEAL_STATES, type AppealState } from '@lodge/shared/suspensions.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
let ann: Caller
const MESSAGE = 'My account was used by somebody else, I changed the password.'
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
beforeEach(async () => {
  await lodge.database.pool.query('truncate rate_limits')
  ann = await lodge.customer()
  await suspend(ann)
})
afterAll(() => lodge[Symbol.asyncDispose]())

const of = (person: Caller) => ({ params: { id: person.id } })
const suspend = (person: Caller) =>
  admin.must('POST /api/customers/{id}/suspend', {
    ...of(person),
    body: { reasonCode: 'security', publicReason: 'Somebody else signed in', note: 'See ticket 7' },
  })
const appeal = (person: Caller, attachments: string[] = []) =>
  person.call('POST /api/suspension/appeal', { body: { message: MESSAGE, attachments } })
const answer = (person: Caller, decision?: 'grant' | 'reject', lift = true) =>
  admin.call('POST /api/customers/{id}/suspension/reply', {
    ...of(person),
    body: { message: 'We looked at it', lift, ...(decision && { decision }) },
  })
const MOVES = {
  answer: () => answer(ann),
  grant: () => answer(ann, 'grant', false),
  reject: () => answer(ann, 'reject'),
  reply: () => ann.call('POST /api/suspension/appeal/reply', { body: { message: 'And again' } }),
  withdraw: () => ann.call('DELETE /api/suspension/appeal'),
}
const stateOf = async (): Promise<AppealState | undefined> =>
  (await ann.must('GET /api/suspension')).suspension?.appeal.appeals[0]?.state

async function upload(by: Caller, url: string, bytes: Buffer, name = 'proof.png') {
  const response = await by.send({
    method: 'POST',
    url: `${url}?name=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: bytes,
  })
  return { status: response.statusCode, body: response.json() }
}
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')

describe('every move in every state of an appeal', () => {
  test.each(
    APPEAL_STATES.flatMap((state) =>
      Object.keys(MOVES).map((move) => [state, move as keyof typeof MOVES] as const),
    ),
  )('%s, %s', async (state, move) => {
    expect((await appeal(ann)).status).toBe(201)
    const decided = Object.keys(APPEAL_MOVES[state]).length === 0
    await lodge.database.pool.query(
      `update appeals set state = $2, decided_at = $3, waiting_since = null
       where suspension_id in (select id from suspensions where customer_id = $1)`,
      [ann.id, state, decided ? new Date() : null],
    )
    const { status } = await MOVES[move]()
    const next = APPEAL_MOVES[state][move]
    expect(next ? [200, 204] : [409]).toContain(status)
    expect(await stateOf()).toBe(next ?? state)
  })
})

test('both sides can attach files, which only they can read', async () => {
  const own = '/api/suspension/attachments'
  const { body: file } = await upload(ann, own, PICTURE)
  expect(file).toMatchObject({ name: 'proof.png', type: 'image/png' })
  expect((await appeal(ann, [file.id])).status).toBe(201)
  const waiting = async () =>
    (await admin.must('GET /api/appeals')).items.filter(({ email }) => email === ann.email)
  expect(await waiting()).toHaveLength(1)
  const { items } = await admin.must('GET /api/notifications')
  expect(items[0]).toMatchObject({ type: 'appeal.opened' })
  const theirs = `/api/customers/${ann.id}/suspension/attachments`
  const { body: sent } = await upload(admin, theirs, Buffer.from('Read this'), 'rules.txt')
  await admin.must('POST /api/customers/{id}/suspension/reply', {
    ...of(ann),
    body: { message: 'Please confirm', attachments: [sent.id] },
  })
  expect(await waiting()).toEqual([])
  expect((await mailTo(lodge, ann.email, 'appeal_reply')).text).toContain('Please confirm')
  const { suspension } = await ann.must('GET /api/suspension')
  const [first, second] = suspension?.appeal.appeals[0]?.messages ?? []
  expect(first).toMatchObject({ from: 'customer', attachments: [{ name: 'proof.png' }] })
  expect(second).toMatchObject({
    from: 'staff',
    author: null,
    attachments: [{ name: 'rules.txt' }],
  })
  const read = (by: Caller, url: string) => by.send({ method: 'GET', url })
  const shown = await read(ann, `${own}/${sent.id}`)
  expect(shown.body).toBe('Read this')
  expect(shown.headers).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment/),
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining('sandbox'),
  })
  expect((await read(admin, `${theirs}/${file.id}`)).rawPayload.equals(PICTURE)).toBe(true)
  const bob = await lodge.customer()
  await suspend(bob)
  expect((await read(bob, `${own}/${file.id}`)).statusCode).toBe(404)
  expect(
    (await read(admin, `/api/customers/${bob.id}/suspension/attachments/${file.id}`)).statusCode,
  ).toBe(404)
  expect((await appeal(bob, [file.id])).status, 'a file of somebody else').toBe(400)
  expect((await upload(bob, own, Buffer.from('\x7fELF\x02', 'latin1'), 'a.png')).status).toBe(415)
  expect((await upload(bob, own, Buffer.alloc(MAX_ATTACHMENT_BYTES + 1, 'a'))).status).toBe(413)
})

test('granting it lifts the suspension in one step, and closes the appeal', async () => {
  await appeal(ann)
  expect((await answer(ann, 'grant')).status).toBe(200)
  expect((await ann.call('GET /api/servers')).status).toBe(200)
  const { active, history } = await admin.must('GET /api/customers/{id}/suspension', of(ann))
  expect(active).toBeNull()
  expect(history[0]).toMatchObject({
    liftedBy: { email: admin.email },
    appeals: [{ state: 'granted' }],
  })
})

test('the next appeal is possible seven days after a rejection, up to three', async () => {
  const days = (count: number) =>
    lodge.database.pool.query(
      `update appeals set decided_at = now() - make_interval(days => $2) where decided_at is not null
       and suspension_id in (select id from suspensions where customer_id = $1)`,
      [ann.id, count],
    )
  for (const round of [1, 2, 3]) {
    expect((await appeal(ann)).status, `appeal ${round}`).toBe(201)
    expect((await appeal(ann)).status, 'a second one beside it').toBe(409)
    await answer(ann, 'reject')
    await days(6)
    expect(await appeal(ann)).toMatchObject({ status: 409, body: { code: 'appeal_not_possible' } })
    await days(7)
  }
  expect((await appeal(ann)).status).toBe(409)
})

test('of two concurrent suspensions one is refused, and so is lifting twice', async () => {
  const bob = await lodge.customer()
  const ask = { ...of(bob), body: { reasonCode: 'abuse' as const } }
  const twice = await Promise.all([
    admin.call('POST /api/customers/{id}/suspend', ask),
    admin.call('POST /api/customers/{id}/suspend', ask),
  ])
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409])
  const lifted = await Promise.all([
    admin.call('DELETE /api/customers/{id}/suspension', of(bob)),
    admin.call('DELETE /api/customers/{id}/suspension', of(bob)),
  ])
  expect(lifted.map(({ status }) => status).sort()).toEqual([204, 409])
  expect((await bob.call('GET /api/servers')).status).toBe(200)
})

test('notes are visible only with the permission, and a hidden reason is not shown', async () => {
  const lead = await lodge.limitedAdmin(['suspension.view', 'suspension.manage'])
  const seen = await lead.must('GET /api/customers/{id}/suspension', of(ann))
  expect(seen.active).toMatchObject({ notes: null, publicReason: 'Somebody else signed in' })
  const all = await admin.must('POST /api/customers/{id}/suspension/notes', {
    ...of(ann),
    body: { text: 'Called them' },
  })
  expect(all.active?.notes?.map(({ text }) => text)).toEqual(['Called them', 'See ticket 7'])
  await lead.must('PATCH /api/customers/{id}/suspension', {
    ...of(ann),
    body: { options: { hideReason: true, allowAppeal: false } },
  })
  const { suspension } = await ann.must('GET /api/suspension')
  expect(suspension).toMatchObject({ reason: null, reasonCode: null, appeal: { possible: false } })
  expect(JSON.stringify(suspension)).not.toContain('ticket 7')
})

test('texts are erased after the retention time; the records stay', async () => {
  const { body: file } = await upload(ann, '/api/suspension/attachments', PICTURE)
  await appeal(ann, [file.id])
  await answer(ann, 'grant')
  const { pool } = lodge.database
  await pool.query(
    `update suspensions set lifted_at = now() - interval '731 days' where customer_id = $1`,
    [ann.id],
  )
  const { eraseOld } = await import('../../../control-plane/src/domains/suspensions/retention.ts')
  expect(await eraseOld(lodge.controlPlane.services)).toBe(1)
  const { history } = await admin.must('GET /api/customers/{id}/suspension', of(ann))
  expect(history[0]).toMatchObject({
    ...{ erased: true, publicReason: '', notes: [], reasonCode: 'security' },
    appeals: [{ state: 'granted', messages: [] }],
  })
  const { rows } = await pool.query(
    `select from blob_references where owner_kind = 'attachment' and owner_id = $1`,
    [file.id],
  )
  expect(rows).toEqual([])
})
