import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { share } from '../support/share.ts'

let lodge: Lodge
let admin: Caller
let ground: { nodeId: string; templateId: string }

beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  ground = { nodeId: (await lodge.node()).id, templateId: (await lodge.template()).id }
})
beforeEach(() => lodge.database.pool.query('truncate rate_limits'))
afterAll(() => lodge[Symbol.asyncDispose]())

const remove = (customer: Caller, by = admin) =>
  by.call('DELETE /api/customers/{id}', { params: { id: customer.id } })

test('a customer without servers is deleted with sessions, plans and shares; their audit entries remain', async () => {
  const [owner, customer] = [await lodge.customer(), await lodge.customer()]
  const serverId = await lodge.server({ ownerId: owner.id, ...ground, start: false })
  await share(lodge, serverId, owner, customer, ['console.read'])
  const plan = await admin.must('POST /api/plans', {
    body: { name: randomUUID(), kind: 'account' },
  })
  await lodge.database.pool.query(
    `insert into subscriptions (id, user_id, plan_id, status) values ($1, $2, $3, 'active')`,
    [randomUUID(), customer.id, plan.id],
  )
  expect((await remove(customer)).status).toBe(204)
  expect((await customer.call('GET /api/auth/me')).status).toBe(401)
  expect((await remove(customer)).status).toBe(404)
  const params = { id: serverId }
  expect((await owner.must('GET /api/servers/{id}/collaborators', { params })).items).toEqual([])
  const { items } = await admin.must('GET /api/audit', { query: { targetId: customer.id } })
  expect(items.map(({ action }) => action)).toContain('DELETE /api/customers/{id}')
})

test('a customer who still owns servers is not deleted, and the problem says how many', async () => {
  const customer = await lodge.customer()
  await lodge.server({ ownerId: customer.id, ...ground, start: false })
  expect(await remove(customer)).toMatchObject({
    status: 409,
    body: { code: 'in_use', detail: `${customer.email} still owns a server: delete them first` },
  })
  expect((await customer.call('GET /api/auth/me')).status).toBe(200)
})

test('creating a server while its owner is deleted leaves neither without the other', async () => {
  for (let round = 0; round < 8; round++) {
    const customer = await lodge.customer()
    const [made, gone] = await Promise.all([
      admin.call('POST /api/servers', {
        body: { name: 'One', ownerId: customer.id, ...ground, start: false },
      }),
      remove(customer),
    ])
    expect([made.status < 300, gone.status < 300].filter(Boolean)).toHaveLength(1)
    expect(Math.max(made.status, gone.status)).toBeLessThan(500)
  }
})

test('an administrator sends a customer a password link, which also sets the first password', async () => {
  const customer = await lodge.customer()
  const send = (id: string) =>
    admin.call('POST /api/customers/{id}/password-link', { params: { id } })
  expect((await send(customer.id)).status).toBe(200)
  const { token } = await mailTo(lodge, customer.email, 'password_reset')
  const password = 'a quiet evening at the lake'
  await lodge.anonymous().must('POST /api/auth/token/accept', { body: { token, password } })
  expect((await customer.call('GET /api/auth/me')).status).toBe(401)

  const email = `${randomUUID()}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email } })
  const first = await mailTo(lodge, email, 'invitation')
  expect((await send(id)).status).toBe(200)
  const second = await mailTo(lodge, email, 'invitation')
  expect(second.id).not.toBe(first.id)
  await lodge
    .anonymous()
    .must('POST /api/auth/token/accept', { body: { token: second.token, password: PASSWORD } })
})
