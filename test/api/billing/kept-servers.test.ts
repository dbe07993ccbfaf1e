import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectEvents } from '../../../control-plane/src/domains/billing/providers/project.ts'
import { provisionDue } from '../../../control-plane/src/domains/billing/provision.ts'
import { newKey, publicKeyOf } from '../../../plugins/sdk/pack.ts'
import type { Caller } from '../../support/caller.ts'
import { addProvider } from '../../support/plugin.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { TOLD_PROVIDER } from './told-provider.ts'

// Servers that staff give to a new subscription of their customer.

const key = newKey()
let lodge: Lodge
let admin: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge({ environment: { LODGE_PLUGIN_KEYS: publicKeyOf(key) } })
  admin = await lodge.admin()
  await lodge.node()
  templateId = (await lodge.template()).id
  await addProvider(admin, 'keeps', TOLD_PROVIDER, key)
})
afterAll(() => lodge[Symbol.asyncDispose]())

const SIZE = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
const makePlan = (more: object) =>
  admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
      ...more,
    },
  })
const serverPlan = (size = SIZE) =>
  makePlan({ kind: 'server', preset: { ...size, locations: 'any', templateIds: [templateId] } })
/** A paid month of a plan with a server. */
async function subscribed() {
  const customer = await lodge.customer()
  const person = await lodge.session(customer.id, customer.email)
  const { id, invoice } = await person.must('POST /api/store/checkout', {
    body: {
      ...{ planId: (await serverPlan()).id, cycle: 'monthly' },
      server: { name: 'shop', templateId },
    },
  })
  const ref = `pay:${invoice?.id}`
  await report(ref)
  await provision()
  return { person, path: { params: { id } }, id, ref }
}
const state = async (person: Caller, id: string) => {
  const { subscriptions, invoices } = await person.must('GET /api/billing')
  const found = subscriptions.find((one) => one.id === id)
  if (!found) throw new Error('no such subscription')
  return { ...found, invoices }
}
const MINUTE_MS = 60_000
/** After the events of the provider, which are projected a minute later. */
const provision = () =>
  provisionDue(lodge.controlPlane.services, new Date(Date.now() + 2 * MINUTE_MS))
/** The provider reports a payment. */
async function report(ref: string, said: object = {}) {
  await lodge.anonymous().send({
    ...{ method: 'POST', url: '/api/billing/webhooks/keeps' },
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ref, ...said }),
  })
  await projectEvents(lodge.controlPlane.services, new Date(Date.now() + MINUTE_MS))
}
/** The holds of a customer's only server. */
const holdsOf = async (person: Caller) => {
  const [one] = (await person.must('GET /api/servers')).items
  return one?.holds.map(({ kind, cause }) => `${kind} ${cause}`)
}

test('a server whose subscription ended is kept with a new one, as soon as that begins', async () => {
  const { person, path, id } = await subscribed()
  const [server] = (await person.must('GET /api/servers')).items
  const serverId = server?.id ?? ''
  const userId = (await person.must('GET /api/auth/me')).id
  const planId = (await serverPlan()).id
  const give = (body: object) =>
    admin.call('POST /api/billing/subscriptions', {
      body: { userId, planId, price: null, serverId, ...body },
    })
  expect(await give({})).toMatchObject({ body: { code: 'in_use' } })
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', path)
  const now = async () => {
    const [one] = (await person.must('GET /api/servers')).items
    return {
      deleteAt: one?.deleteAt,
      holds: one?.holds.map(({ kind, cause }) => `${kind} ${cause}`),
    }
  }
  expect(await now()).toMatchObject({ holds: ['deletion billing'] })
  // Only the host can keep it.
  const restore = { params: { id: serverId } }
  expect((await person.call('POST /api/me/servers/{id}/restore', restore)).status).toBe(409)
  const stranger = await lodge.customer()
  const named = { server: { name: 'new', templateId } }
  for (const wrong of [{ userId: stranger.id }, named, { planId: (await makePlan({})).id }])
    expect(await give(wrong)).toMatchObject({
      ...{ status: 400, body: { errors: [{ pointer: '/serverId' }] } },
    })

  // Unpaid it is not deleted, but off; and deleted after all if it stays unpaid.
  const price = { cycle: 'monthly', freeDays: 0 }
  const asked = (await give({ price })).body as { id: string }
  expect(await now()).toEqual({ deleteAt: null, holds: ['suspension billing'] })
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id: asked.id } })
  expect((await now()).holds).toContain('deletion billing')
  const ended = (await person.must('GET /api/notifications')).items.filter(
    ({ type }) => type === 'subscription.canceled',
  )
  expect(ended).toHaveLength(2)

  const again = (await give({ price })).body as { id: string }
  const { invoices } = await state(person, again.id)
  const open = invoices.find(({ status }) => status === 'open')
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    ...{ params: { id: open?.id ?? '' }, body: { amount: 1000 } },
  })
  await provision()
  expect(await now()).toEqual({ deleteAt: null, holds: [] })
  expect(await state(person, again.id)).toMatchObject({
    ...{ status: 'active', server: { id: serverId, state: 'made' } },
  })
  expect((await state(person, id)).server?.id).toBe(null)
  expect((await person.must('GET /api/servers')).items).toHaveLength(1)
})

test('two new subscriptions cannot both keep one server, and a gift keeps it running at once', async () => {
  const { person, path } = await subscribed()
  const serverId = (await person.must('GET /api/servers')).items[0]?.id ?? ''
  const userId = (await person.must('GET /api/auth/me')).id
  const larger = await serverPlan({ memoryMb: 256, cpuPercent: 20, diskMb: 256 })
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', path)
  const give = () =>
    admin.call('POST /api/billing/subscriptions', {
      body: { userId, planId: larger.id, price: null, serverId },
    })
  const both = await Promise.all([give(), give()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  await provision()
  const [kept] = (await person.must('GET /api/servers')).items
  expect(kept).toMatchObject({ id: serverId, deleteAt: null, holds: [], memoryMb: 256 })

  // Nor does anybody pay for one that is being deleted.
  const [gift] = both.flatMap(({ status, body }) =>
    status === 201 ? [body as { id: string }] : [],
  )
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', {
    params: { id: gift?.id ?? '' },
  })
  await admin.must('DELETE /api/servers/{id}', { params: { id: serverId } })
  expect(await give()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
})

test('a server of no subscription is as before if the one that it gets is never paid', async () => {
  const { id: userId, email } = await lodge.customer()
  const person = await lodge.session(userId, email)
  const serverId = await lodge.server({ ownerId: userId, templateId, ...SIZE })
  const planId = (await serverPlan()).id
  const price = { cycle: 'monthly', freeDays: 0 } as const
  const give = () =>
    admin.call('POST /api/billing/subscriptions', { body: { userId, planId, price, serverId } })
  const endUnpaid = async () => {
    const { id } = (await give()).body as { id: string }
    expect(await holdsOf(person)).toEqual(['suspension billing'])
    await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id } })
  }
  const { pool } = lodge.database
  await pool.query(
    `insert into server_holds (server_id, kind, cause) values ($1, 'restoring', 'backup')`,
    [serverId],
  )
  expect(await give()).toMatchObject({ status: 409, body: { code: 'hold_active' } })
  await pool.query('delete from server_holds where server_id = $1', [serverId])
  await endUnpaid()
  expect(await holdsOf(person)).toEqual([])

  // Its owner had deleted it, is told of the new day, and can still undo that.
  const path = { params: { id: serverId } }
  await person.must('DELETE /api/me/servers/{id}', path)
  await endUnpaid()
  expect(await holdsOf(person)).toEqual(['deletion owner'])
  const { rows: mails } = await pool.query(
    `select from email_messages where template = 'server_deletion_scheduled' and user_id = $1`,
    [userId],
  )
  expect(mails).toHaveLength(2)
  await person.must('POST /api/me/servers/{id}/restore', path)
  expect(await holdsOf(person)).toEqual([])
})

test('a server is kept with a new subscription once the dispute about its former one is decided', async () => {
  const dispute = { ref: 'dp', state: 'open', amount: 1000, reason: '' }
  const { person, path, ref } = await subscribed()
  await report(ref, { status: 'disputed', dispute })
  const [server] = (await person.must('GET /api/servers')).items
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', path)
  const planId = (await serverPlan()).id
  const keep = () =>
    admin.call('POST /api/billing/subscriptions', {
      body: { userId: person.id, planId, price: null, serverId: server?.id ?? '' },
    })
  expect(await keep()).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  await report(ref, { status: 'disputed', dispute: { ...dispute, state: 'lost' } })
  expect(await holdsOf(person)).toContain('suspension dispute')
  // By giving it away, the host has decided what happens to it.
  expect(await keep()).toMatchObject({ status: 201 })
  expect(await holdsOf(person)).toEqual([])
})
