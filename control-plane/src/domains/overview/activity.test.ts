import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type FreshDatabase, freshDatabase } from '../../../../test/support/database.ts'
import { encodeCursor } from '../../db/cursor.ts'
import { type Db, openDatabase } from '../../db/database.ts'
import { fleetRows } from '../metrics/testing/fleet-rows.ts'
import { Activity, pageOfActivity } from './activity.ts'

let database: FreshDatabase
let db: Db
const now = Date.now()

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.application.pool)
  const rows = fleetRows(database.pool)
  const nodeId = await rows.node({
    name: 'alpha',
    connected_at: new Date(now - 5000),
    last_seen_at: new Date(now),
  })
  await rows.node({ name: 'beta', last_seen_at: new Date(now - 15_000) })
  await rows.node({ name: 'never seen' })
  const [server] = await rows.servers(nodeId, 1)
  for (let at = 0; at < 30; at++) {
    await database.pool.query(
      `insert into server_events (id, server_id, kind, at, reason, last_lines) values ($1, $2, 'crashed', $3, 'It ended with code 1', '{secret line}')`,
      // Some have the same time, so only the id orders them.
      [randomUUID(), server!.id, new Date(now - Math.floor(at / 3) * 1000)],
    )
  }
  for (let at = 0; at < 5; at++) {
    await database.pool.query(
      `insert into jobs (id, kind, title, state, server_id, node_id, input, steps, ended_at) values ($1, 'server.start', 'Start it', 'done', $2, $3, '{"secret":1}', '[]', now())`,
      [randomUUIDv7(), server!.id, nodeId],
    )
  }
})
afterAll(() => database.drop())

test('pages follow each other, newest first, without duplicates or gaps', async () => {
  const all: Activity[] = []
  let after: string | undefined
  do {
    const page = await pageOfActivity(db, { after, limit: 4 })
    expect(page.items.length).toBeLessThanOrEqual(4)
    all.push(...z.array(Activity).parse(page.items))
    after = page.nextCursor ?? undefined
  } while (after)
  expect(new Set(all.map(({ id }) => id)).size).toBe(37)
  expect(all).toHaveLength(37)
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  expect(all.filter(({ kind }) => kind === 'job')).toHaveLength(5)
  expect(all.find(({ kind }) => kind === 'node_lost')).toMatchObject({
    nodeName: 'beta',
    title: 'Lost its connection',
  })
  expect(all.find(({ kind }) => kind === 'server_event')).toMatchObject({
    serverName: 'server',
    nodeName: 'alpha',
    event: 'crashed',
  })
  expect(await pageOfActivity(db, { limit: 100 })).toMatchObject({ items: all, nextCursor: null })
})

test('neither output of servers nor input of jobs is included', async () => {
  expect(JSON.stringify(await pageOfActivity(db, { limit: 100 }))).not.toContain('secret')
})

test.for([
  ['yesterday', randomUUID()],
  ['2026-13-99T00:00:00.000000Z', randomUUID()],
] as const)('the made-up cursor %s is refused', async (position) => {
  await expect(
    pageOfActivity(db, { after: encodeCursor(position), limit: 4 }),
  ).rejects.toMatchObject({ code: 'invalid_cursor' })
})
