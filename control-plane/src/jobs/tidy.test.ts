import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../../test/support/stack.ts'
import { tidyJobs } from './tidy.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

const SERVER = '00000000-0000-4000-8000-000000000001'

/** Job ids contain the time of the request. */
const insert = (
  count: number,
  ageDays: number,
  endedDaysAgo: number | null,
  serverId: string | null,
) =>
  lodge.database.pool.query(
    `insert into jobs (id, kind, title, state, server_id, generation, input, steps, ended_at)
     select uuidv7(make_interval(days => -$2::int)),
       'server.start', 'Start', 'done', $4, 1, '{}', '[]', now() - make_interval(days => $3::int)
     from generate_series(1, $1::int)`,
    [count, ageDays, endedDaysAgo, serverId],
  )
const left = async () =>
  (
    await lodge.database.pool.query<{ ended: number; open: number }>(
      `select count(ended_at)::int as ended, (count(*) - count(ended_at))::int as open from jobs`,
    )
  ).rows[0]

test('jobs are kept for 90 days, at most a thousand per server, and open ones always', async () => {
  await insert(3, 91, 91, null)
  await insert(2, 89, 89, null)
  await insert(1, 91, 1, null)
  await insert(1, 200, null, null)
  await insert(1_004, 2, 1, SERVER)
  await insert(2, 10, null, SERVER)
  // The control plane's own run may have come first.
  await tidyJobs.run(lodge.controlPlane.services)
  expect(await left()).toEqual({ ended: 2 + 1 + 1_000, open: 3 })
})
