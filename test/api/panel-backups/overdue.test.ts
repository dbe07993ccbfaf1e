import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextFor } from '../../../control-plane/src/context.ts'
import { tellOverdue } from '../../../control-plane/src/domains/panel-backups/schedule.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('missing backups are reported once, even if several control planes check concurrently', async () => {
  const admin = await lodge.admin()
  const { pool } = lodge.database
  const lock = await pool.connect()
  try {
    await lock.query('begin')
    await lock.query(`select pg_advisory_xact_lock(hashtextextended('panel backups', 0))`)
    // With a bucket that is not configured yet, no backup begins meanwhile.
    await pool.query(
      `insert into settings (area, value) values ('panel-backups', $1)
       on conflict (area) do update set value = excluded.value`,
      [
        {
          ...{ schedule: { cron: '0 4 * * *', zone: 'UTC' }, place: 's3' },
          scheduledSince: '2026-01-01T00:00:00.000Z',
        },
      ],
    )
    const ctx = contextFor(lodge.controlPlane.services, { kind: 'system' } as const)
    const looks = Promise.all([tellOverdue(ctx), tellOverdue(ctx)])
    await until(async () => {
      const { rows } = await pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.length >= 2
    })
    await lock.query('commit')
    await looks
  } finally {
    lock.release(true)
  }
  const { items } = await admin.must('GET /api/notifications')
  expect(items.filter(({ type }) => type === 'panel-backup.overdue')).toHaveLength(1)
})
