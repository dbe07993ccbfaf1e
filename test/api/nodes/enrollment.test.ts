import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

/** The secret in a new token of this node. */
async function tokenOf(id: string): Promise<string> {
  const admin = await lodge.admin()
  const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params: { id } })
  const content = Buffer.from(token.slice('lodge1.'.length), 'base64url').toString()
  return (JSON.parse(content) as { t: string }).t
}
/** Each attempt is from another machine, or the rate limit would end the test. */
let machines = 0
const enroll = async (token: string): Promise<number> => {
  const address = `192.0.2.${++machines}`
  const caller = lodge.anonymous({ address })
  const body = { token, agentVersion: '0.1.0' }
  return (await caller.call('POST /api/agent/enroll', { body })).status
}

test('N2: the token of a node works once, even in twenty concurrent requests', async () => {
  const { id } = await lodge.joinedNode()
  const token = await tokenOf(id)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => enroll(token)))
  expect(statuses.filter((status) => status < 300)).toHaveLength(1)
  expect(statuses.filter((status) => status === 400)).toHaveLength(19)
  expect(await enroll(token)).toBe(400)
})

test('N2: a token expires after an hour or when the next one is issued, and any other text is invalid', async () => {
  const { id } = await lodge.joinedNode()
  const replaced = await tokenOf(id)
  const late = await tokenOf(id)
  expect(await enroll(replaced)).toBe(400)
  await lodge.database.pool.query(
    `update node_enrollments set expires_at = expires_at - interval '1 hour' where node_id = $1`,
    [id],
  )
  expect(await enroll(late)).toBe(400)
  const present = await tokenOf(id)
  expect(await enroll(`${present.slice(0, -1)}${present.endsWith('A') ? 'B' : 'A'}`)).toBe(400)
  expect(await enroll(present)).toBeLessThan(300)
})
