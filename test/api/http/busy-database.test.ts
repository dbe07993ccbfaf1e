import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('a request whose statement the database cancelled can be retried, and changed nothing', async () => {
  const { pool } = lodge.database
  const admin = await lodge.admin()
  const before = await admin.must('GET /api/support/settings')
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table settings in access exclusive mode')
    const request = admin.call('PUT /api/support/settings', { body: { reopenDays: 21 } })
    // As the database does itself when a statement exceeds its timeout.
    await until(async () => {
      const { rowCount } = await pool.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return (rowCount ?? 0) > 0
    })
    const answer = await request
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect(await admin.must('GET /api/support/settings')).toEqual(before)
})
