import { randomUUID } from 'node:crypto'
import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
let templateId: string
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  await lodge.node()
  templateId = (await lodge.template()).id
  await admin.must('PUT /api/settings/signup', {
    body: {
      mode: 'invitation',
      captcha: { provider: 'off', siteKey: null },
      terms: { required: false, termsUrl: null, privacyUrl: null },
    },
  })
})
afterAll(() => lodge[Symbol.asyncDispose]())

const makePlan = (limits: LimitLayer, name = `Plan ${randomUUID()}`) =>
  admin.must('POST /api/plans', { body: { name, kind: 'account', limits } })

/** Signs up with a new invitation for this plan, up to the mail. */
async function invited(planId: string) {
  await lodge.database.pool.query('truncate rate_limits')
  const { code } = await admin.must('POST /api/signup/invites', { body: { planId } })
  const email = `plan-${randomUUID()}@example.com`
  await lodge.anonymous().must('POST /api/auth/register', {
    body: { email, password: PASSWORD, inviteCode: code },
  })
  const { token } = await mailTo(lodge, email, 'verify_email')
  const { rows } = await lodge.database.pool.query('select id from users where email = $1', [email])
  return { email, id: rows[0].id as string, token }
}
const confirm = (token: string | undefined) =>
  lodge.anonymous().call('POST /api/auth/verify', { body: { token: token ?? '' } })

async function subscriber(planId: string): Promise<Caller> {
  const { id, email, token } = await invited(planId)
  expect(await confirm(token)).toMatchObject({ status: 200 })
  return lodge.session(id, email)
}
const limitOf = async (person: Caller, key: string) =>
  (await person.must('GET /api/limits/me')).limits.find((limit) => limit.key === key)

describe('a plan', () => {
  test('is listed with its limits and its number of subscribers', async () => {
    const { id } = await makePlan({ maxServers: 3, maxMemoryMb: null }, 'Listed')
    await subscriber(id)
    const { items } = await admin.must('GET /api/plans')
    const shown = items.find((plan) => plan.id === id)
    expect(shown).toMatchObject({ name: 'Listed', kind: 'account', archivedAt: null })
    expect(shown?.limits).toEqual({ maxServers: 3 })
    expect(shown?.subscribers).toMatchObject({ active: 1, trialing: 0, canceled: 0 })
    expect(await admin.must('GET /api/plans/{id}', { params: { id } })).toEqual(shown)
  })

  test('has a unique name', async () => {
    await makePlan({}, 'Only one')
    const { id } = await makePlan({})
    const twice = { name: 'Only one', kind: 'account' } as const
    const answers = [
      await admin.call('POST /api/plans', { body: twice }),
      await admin.call('PUT /api/plans/{id}', { params: { id }, body: { name: 'Only one' } }),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 409, body: { code: 'duplicate' } })
  })

  test('is read and changed with the plan permissions only', async () => {
    const { id } = await makePlan({})
    const viewer = await lodge.limitedAdmin(['plans.view'])
    const params = { id }
    expect((await viewer.call('GET /api/plans')).status).toBe(200)
    expect(
      await viewer.call('PUT /api/plans/{id}', { params, body: { name: 'Changed' } }),
    ).toMatchObject({ status: 403, body: { permission: 'plans.manage' } })
    const nobody = await lodge.limitedAdmin(['customers.view'])
    expect(await nobody.call('GET /api/plans')).toMatchObject({ status: 403 })
  })

  test('is deleted only if nobody ever had it and no invitation names it', async () => {
    const unused = await makePlan({})
    await admin.must('DELETE /api/plans/{id}', { params: { id: unused.id } })
    const gone = await admin.call('GET /api/plans/{id}', { params: { id: unused.id } })
    expect(gone.status).toBe(404)

    const named = await makePlan({})
    await admin.must('POST /api/signup/invites', { body: { planId: named.id } })
    const had = await makePlan({})
    await subscriber(had.id)
    await lodge.database.pool.query(
      `update subscriptions set status = 'canceled' where plan_id = $1`,
      [had.id],
    )
    for (const { id } of [named, had]) {
      const refused = await admin.call('DELETE /api/plans/{id}', { params: { id } })
      expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    }
  })

  test('that is archived is closed to new customers, and stays with existing ones', async () => {
    const { id } = await makePlan({ maxServers: 4 })
    const person = await subscriber(id)
    const late = await invited(id)
    const archived = await admin.must('POST /api/plans/{id}/archive', { params: { id } })
    expect(archived.archivedAt).not.toBeNull()
    const invite = { body: { planId: id } }
    expect(await admin.call('POST /api/signup/invites', invite)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/planId' }] },
    })
    expect(await limitOf(person, 'maxServers')).toMatchObject({ value: 4 })
    // Earlier invitations stay valid.
    await confirm(late.token)
    const latecomer = await lodge.session(late.id, late.email)
    expect(await limitOf(latecomer, 'maxServers')).toMatchObject({ value: 4 })

    const again = await admin.call('POST /api/plans/{id}/archive', { params: { id } })
    expect(again).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
    await admin.must('POST /api/plans/{id}/unarchive', { params: { id } })
    expect((await admin.call('POST /api/signup/invites', invite)).status).toBe(201)
  })
})

describe('an accepted invitation with a plan', () => {
  test('starts its subscription and its limits, which name the plan as their origin', async () => {
    const plan = await makePlan({ maxServers: 1, maxMemoryMb: 256, mayCreateServers: true }, 'Gold')
    const settings = await admin.must('GET /api/limits/settings')
    const body = { ...settings, selfService: 'account_plans' } as const
    await admin.must('PUT /api/limits/settings', { body })
    const person = await subscriber(plan.id)
    expect(await limitOf(person, 'maxServers')).toMatchObject({
      value: 1,
      origin: { label: 'Gold', parts: [{ source: 'plan', planName: 'Gold', value: 1 }] },
    })
    const server = {
      body: { name: 'mine', templateId, memoryMb: 128, cpuPercent: 10, diskMb: 128 },
    }
    await person.must('POST /api/me/servers', server)
    expect(await person.call('POST /api/me/servers', server)).toMatchObject({
      status: 409,
      body: { detail: 'This would exceed the limit of 1 servers (1 in use, 1 requested)' },
    })
    // A change of the plan applies to subscribers immediately.
    await admin.must('PUT /api/plans/{id}', {
      params: { id: plan.id },
      body: { name: 'Gold', limits: { maxServers: 2, mayCreateServers: true } },
    })
    await person.must('POST /api/me/servers', server)
    await admin.must('PUT /api/limits/settings', { body: settings })
  })

  test('opens no account without the plan: both happen, or neither', async () => {
    const { id } = await makePlan({ maxServers: 2 })
    const waiting = await invited(id)
    const { pool } = lodge.database
    const state = async () => {
      const { rows } = await pool.query(
        `select state, (select count(*)::int from subscriptions where user_id = users.id) as plans
         from users where id = $1`,
        [waiting.id],
      )
      return rows[0]
    }
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    )
    await pool.query(
      'create trigger refused before insert on subscriptions for each row execute function refuse()',
    )
    expect((await confirm(waiting.token)).status).toBe(500)
    expect(await state()).toEqual({ state: 'unverified', plans: 0 })
    await pool.query('drop trigger refused on subscriptions')
    // The failed attempt did not consume the link.
    expect(await confirm(waiting.token)).toMatchObject({ status: 200, body: { state: 'active' } })
    expect(await state()).toEqual({ state: 'active', plans: 1 })
  })
})

test('every plan is listed, however many there are', async () => {
  await lodge.database.pool.query(
    `insert into plans (id, name, kind) select gen_random_uuid(), 'Many ' || n, 'account' from generate_series(1, 600) n`,
  )
  const { items } = await admin.must('GET /api/plans')
  expect(items.filter(({ name }) => name.startsWith('Many '))).toHaveLength(600)
})
