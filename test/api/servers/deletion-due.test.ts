import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteDue } from '../../../control-plane/src/domains/servers/lifecycle/self-service.ts'
import { deleteServersDue } from '../../../control-plane/src/domains/suspensions/lift.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('a server that cannot be deleted when it is due delays no other', async () => {
  const { pool } = lodge.database
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const { id: ownerId } = await lodge.customer()
  const make = () => lodge.server({ ownerId, templateId, nodeId, start: false })
  const [faulty, other] = [await make(), await make()]
  await pool.query(
    `update servers set delete_at = now() - case id when $1 then interval '2 days' else interval '1 day' end`,
    [faulty],
  )
  await pool.query(`create function fails() returns trigger language plpgsql as
    $$ begin raise exception 'for a test'; end $$`)
  await pool.query(`create trigger fails before update on servers for each row
    when (old.id = '${faulty}') execute function fails()`)
  expect(await deleteDue(lodge.controlPlane.services)).toBe(1)
  const { rows } = await pool.query(
    `select server_id from jobs where kind = 'server.delete' and ended_at is null`,
  )
  expect(rows).toEqual([{ server_id: other }])
})

test('a server that is kept while others are being deleted stays', async () => {
  const { pool } = lodge.database
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const { id: ownerId } = await lodge.customer()
  const make = () => lodge.server({ ownerId, templateId, nodeId, start: false })
  const [due, kept] = [await make(), await make()]
  // Both are found due before the first is deleted.
  await pool.query(`create or replace function keeps() returns trigger language plpgsql as
    $$ begin update servers set delete_at = null where id = '${kept}'; return new; end $$`)
  await pool.query(`create or replace trigger keeps before update on servers for each row
    when (old.id = '${due}' and new.delete_at is null) execute function keeps()`)
  await pool.query(
    `update servers set delete_at = now() - case id when $1 then interval '2 days' else interval '1 day' end
     where id = any($2)`,
    [due, [due, kept]],
  )
  expect(await deleteDue(lodge.controlPlane.services)).toBe(1)
  const { rows } = await pool.query(
    `select server_id from jobs where kind = 'server.delete' and server_id = any($1)`,
    [[due, kept]],
  )
  expect(rows).toEqual([{ server_id: due }])
})

test('a server that is deleted for two reasons stays once both are gone, and free of charge only by who may', async () => {
  const admin = await lodge.admin()
  const { id: nodeId } = await lodge.node()
  const { id: templateId } = await lodge.template()
  const { id: userId } = await lodge.customer()
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  const id = await lodge.server({ ownerId: userId, templateId, nodeId, start: false, ...size })
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      ...{ name: randomUUID(), kind: 'server', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 1000, currency: 'EUR' }],
      preset: { ...size, locations: 'any', templateIds: [templateId] },
    },
  })
  const given = await admin.must('POST /api/billing/subscriptions', {
    body: { userId, planId, price: null, serverId: id },
  })
  const path = { params: { id } }
  const account = { params: { id: userId } }
  const deletion = async () => {
    const { deleteAt, holds } = await admin.must('GET /api/servers/{id}', path)
    const causes = holds.flatMap(({ kind, cause }) => (kind === 'deletion' ? [cause] : []))
    return { deleteAt, causes: causes.toSorted() }
  }
  const suspend = async () => {
    await admin.must('POST /api/customers/{id}/suspend', {
      ...account,
      body: {
        ...{ reasonCode: 'other', publicReason: '' },
        options: { pauseBilling: false, deleteServersAfterDays: 1 },
      },
    })
    await lodge.database.pool.query(
      `update suspensions set delete_servers_at = now() where customer_id = $1 and lifted_at is null`,
      [userId],
    )
    await deleteServersDue(lodge.controlPlane.services)
  }
  const lift = () => admin.must('DELETE /api/customers/{id}/suspension', { ...account, query: {} })
  const keep = (by: typeof admin) => by.call('POST /api/servers/{id}/cancel-deletion', path)

  // Its subscription ends while it is deleted with the account.
  await suspend()
  const suspended = await deletion()
  expect(suspended.causes).toEqual(['account'])
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id: given.id } })
  const { deleteAt, causes } = await deletion()
  expect(causes).toEqual(['account', 'billing'])
  // The mail about the end of the subscription names the later time.
  expect(Date.parse(`${deleteAt}`)).toBeGreaterThan(Date.parse(`${suspended.deleteAt}`))
  await lift()
  expect(await deletion()).toEqual({ deleteAt, causes: ['billing'] })

  // The account is suspended while its subscription has ended.
  await suspend()
  expect(await deletion()).toEqual({ deleteAt, causes: ['account', 'billing'] })
  expect(await keep(admin)).toMatchObject({ status: 409, body: { code: 'invalid_state' } })
  await lift()
  expect(await deletion()).toEqual({ deleteAt, causes: ['billing'] })

  const limited = await lodge.limitedAdmin(['servers.view', 'servers.delete'])
  const permission = 'billing.manage'
  expect(await keep(limited)).toMatchObject({
    ...{ status: 403, body: { code: 'permission_required', permission } },
  })
  expect(await deletion()).toEqual({ deleteAt, causes: ['billing'] })
  const allowed = await lodge.limitedAdmin(['servers.view', 'servers.delete', permission])
  expect(await keep(allowed)).toMatchObject({ status: 200, body: { deleteAt: null } })
  const { items } = await admin.must('GET /api/audit', {
    query: { serverId: id, action: 'server.left_plan' },
  })
  expect(items).toMatchObject([
    { actor: { email: allowed.email }, what: 'kept One without its plan, free of charge' },
  ])
})
