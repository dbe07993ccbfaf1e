import { expect, test } from 'vitest'
import { startLodge } from '../../support/stack.ts'

const MINUTE_MS = 60_000

test('metrics and events of a period are those within it, with a reason if there are none', async () => {
  await using lodge = await startLodge()
  const admin = await lodge.admin()
  const node = await lodge.node()
  const owner = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const agent = await lodge.standIn(node)
  const size = { memoryMb: 128, cpuPercent: 10, diskMb: 128 }
  const body = { name: 'charted', ownerId: owner.id, templateId, ...size }
  const { serverId: id } = await admin.must('POST /api/servers', { body })
  agent.close()
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * MINUTE_MS).toISOString()
  const { pool } = lodge.database
  await pool.query('update servers set created_at = $2 where id = $1', [id, ago(120)])
  await pool.query(
    `insert into server_samples (key, at, cpu, memory, rx, tx)
     select metric_key, at, 5, 6, 7, 8 from servers,
       generate_series($2::timestamptz, $3, interval '15 seconds') as at where id = $1`,
    [id, ago(60), ago(40)],
  )
  for (const [kind, minutes] of [
    ['started', 61],
    ['stopped', 40],
    ['started', 20],
  ] as const)
    await pool.query(
      `insert into server_events (id, server_id, kind, at, reason) values (gen_random_uuid(), $1, $2, $3, '')`,
      [id, kind, ago(minutes)],
    )

  const query = { from: ago(50), to: ago(30) }
  const metrics = await owner.must('GET /api/servers/{id}/metrics', { params: { id }, query })
  expect(metrics).toMatchObject({ range: null, ...query, stepSeconds: 15 })
  expect(metrics.points.length).toBeGreaterThanOrEqual(40)
  expect(metrics.points.length).toBeLessThanOrEqual(42)
  expect(metrics.points[0]).toMatchObject({ cpuPercent: 5, networkTxBytesPerSecondMax: 8 })
  expect(metrics.gaps).toMatchObject([{ reason: 'stopped', to: query.to }])

  const events = await owner.must('GET /api/servers/{id}/events', { params: { id }, query })
  expect(events.items.map(({ kind }) => kind)).toEqual(['stopped'])
  const since = { from: ago(50), to: ago(10), limit: 1 }
  const first = await owner.must('GET /api/servers/{id}/events', { params: { id }, query: since })
  expect(first.items).toMatchObject([{ kind: 'started', at: ago(20) }])
  const after = first.nextCursor!
  const second = await owner.must('GET /api/servers/{id}/events', {
    params: { id },
    query: { ...since, after },
  })
  expect(second.items).toMatchObject([{ kind: 'stopped' }])
  expect(second.nextCursor).toBeNull()

  const wrong = await owner.call('GET /api/servers/{id}/metrics', {
    params: { id },
    query: { from: ago(30), to: ago(50) },
  })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  const past = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
  const kept = await admin.call('GET /api/nodes/{id}/metrics', {
    params: { id: node.id },
    query: past,
  })
  expect(kept.status).toBe(400)
})
