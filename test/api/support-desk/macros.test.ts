import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let lead: Caller
let agent: Caller

beforeAll(async () => {
  lodge = await startLodge()
  lead = await lodge.limitedAdmin(['support.view', 'support.reply', 'support.settings'])
  agent = await lodge.limitedAdmin(['support.view', 'support.reply'])
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

const actions = [
  { type: 'reply' as const, text: 'Hello {customer}, restart it.' },
  { type: 'set_status' as const, status: 'pending' as const },
  { type: 'add_tags' as const, tags: ['restart'] },
]
const namesOf = async (caller: Caller) =>
  (await caller.must('GET /api/support/macros')).items.map(({ name }) => name)

test('shared macros need the permission to configure the desk; everybody can create their own', async () => {
  const shared = { name: 'Restart', scope: 'all' as const, actions }
  expect(await agent.call('POST /api/support/macros', { body: shared })).toMatchObject({
    status: 403,
    body: { code: 'permission_required' },
  })
  const made = await lead.must('POST /api/support/macros', { body: shared })
  expect(made).toMatchObject({ name: 'Restart', actions, own: false, mayEdit: true })
  const own = { name: 'Mine', scope: 'personal' as const, actions }
  const mine = await agent.must('POST /api/support/macros', { body: own })
  expect(await namesOf(agent)).toEqual(['Mine', 'Restart'])
  expect(await namesOf(lead)).toEqual(['Restart'])

  const params = { id: mine.id }
  expect((await lead.call('DELETE /api/support/macros/{id}', { params })).status).toBe(404)
  expect(
    (await agent.call('DELETE /api/support/macros/{id}', { params: { id: made.id } })).status,
  ).toBe(403)
  await agent.must('POST /api/support/macros', { body: { ...own, id: mine.id, name: 'Renamed' } })
  const stolen = { body: { ...own, id: mine.id } }
  expect((await lead.call('POST /api/support/macros', stolen)).status).toBe(404)
  expect(await namesOf(agent)).toEqual(['Renamed', 'Restart'])
  await agent.must('DELETE /api/support/macros/{id}', { params })
  expect(await namesOf(agent)).toEqual(['Restart'])
})

test('a macro that cannot be applied is refused', async () => {
  for (const wrong of [
    { actions: [] },
    { actions: [actions[0], actions[0]] },
    { actions: [{ type: 'reply', text: ' ' }] },
    { actions: [{ type: 'run', text: 'x' }] },
    { scope: 'group' },
    { groupId: '00000000-0000-4000-8000-000000000000' },
    { scope: 'group', groupId: '00000000-0000-4000-8000-000000000000' },
  ]) {
    const body = { name: 'Wrong', scope: 'all', actions, ...wrong } as never
    expect((await lead.call('POST /api/support/macros', { body })).status).toBe(400)
  }
})
