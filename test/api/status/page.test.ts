import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRESH_MS } from '../../../control-plane/src/domains/status/page/kept.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { open, pageAt, SETTINGS } from './status.fixture.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

/** The page once it contains this: control planes query the database every five seconds. */
const pageWith = (words: string, url = '/status') =>
  until(async () => {
    const page = await pageAt(lodge, url)
    return page.body.includes(words) ? page : undefined
  })

test('there is no status page until somebody switches it on', async () => {
  expect((await lodge.anonymous().call('GET /api/status')).status).toBe(404)
  for (const url of ['/status', '/status/feed.atom', '/status/history'])
    expect((await pageAt(lodge, url)).body).not.toContain('uptime')
})

test('shows what the operator chose under public names, and nothing of nodes', async () => {
  await lodge.joinedNode({ location: 'Rack 7 cellar' })
  const add = (body: object) => admin.must('POST /api/status/components', { body } as never)
  await add({ source: 'location', location: 'Rack 7 cellar', name: 'Zurich <east>' })
  await add({ source: 'manual', name: 'Secret shed', shown: false })
  await admin.must('PUT /api/status/settings', {
    body: { ...SETTINGS, title: 'Example & Sons', intro: 'Call us.' },
  })
  const { body, headers, statusCode } = await pageWith('Zurich')
  expect(statusCode).toBe(200)
  expect(body).toContain('Zurich &#60;east&#62;')
  expect(body).toContain('Example &#38; Sons')
  expect(body).not.toMatch(/cellar|shed|node \d|<script/)
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'self' 'sha256-/,
  )
  const board = await lodge.anonymous().must('GET /api/status')
  expect(JSON.stringify(board)).not.toMatch(/cellar|shed/)
  expect(board.components).toMatchObject([{ name: 'Zurich <east>', uptimePercent: null }])
  expect(board.components[0]?.days).toHaveLength(90)
})

test('is sent compressed, and not again to a browser that has it', async () => {
  const page = await pageWith('Zurich')
  const etag = String(page.headers.etag)
  const again = await pageAt(lodge, '/status', { 'if-none-match': etag })
  // Another minute may have begun.
  expect(again.statusCode === 304 || again.headers.etag !== etag).toBe(true)
  const packed = await pageAt(lodge, '/status', { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
})

test('many requests are answered from memory, also while the database does not respond', async () => {
  await pageWith('Zurich')
  const blocker = await lodge.database.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query('lock table status_components in access exclusive mode')
    const pages = await Promise.all(Array.from({ length: 300 }, () => pageAt(lodge, '/status')))
    expect(pages.every(({ body }) => body.includes('Zurich'))).toBe(true)
    // Until the copy in memory is no longer fresh, and a moment longer.
    const from = performance.now()
    await until(async () => {
      expect((await pageAt(lodge, '/status')).body).toContain('Zurich')
      return performance.now() - from > FRESH_MS + 500
    })
  } finally {
    await blocker.query('rollback')
    blocker.release()
  }
})

test('an incident goes from draft to resolved, and each step is visible to its audience', async () => {
  const { items } = await admin.must('GET /api/status/components')
  const componentIds = items.map(({ id }) => id)
  const draft = await admin.must('POST /api/status/incidents', {
    body: {
      ...{ kind: 'incident', title: 'Switch gone', impact: 'outage', componentIds },
      ...{ body: 'We look <b>into</b> it.', announced: true },
    },
  })
  const at = { params: { id: draft.id } }
  expect(draft).toMatchObject({ publishedAt: null, state: 'investigating' })
  const customer = await lodge.customer()
  expect(await customer.must('GET /api/branding/announcement')).toBeNull()
  await admin.must('POST /api/status/incidents/{id}/publish', at)
  expect(await admin.call('POST /api/status/incidents/{id}/publish', at)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  })
  expect(await customer.must('GET /api/branding/announcement')).toMatchObject({
    ...{ text: 'Switch gone', severity: 'critical', dismissible: true },
    link: `/status/incidents/${draft.id}`,
  })
  const page = await pageWith('Switch gone')
  expect(page.body).toContain('We look &#60;b&#62;into&#60;/b&#62; it.')
  // The hidden component is part of the incident, and still hidden.
  expect(page.body).not.toContain('Secret shed')
  expect((await pageAt(lodge, `/status/incidents/${draft.id}`)).body).toContain('Switch gone')
  const posted = await admin.must('POST /api/status/incidents/{id}/updates', {
    ...at,
    body: { state: 'resolved', body: 'Repaired.' },
  })
  expect(posted.updates.map(({ state }) => state)).toEqual(['resolved', 'investigating'])
  await admin.must('PATCH /api/status/incidents/{id}/updates/{updateId}', {
    params: { id: draft.id, updateId: posted.updates[0]?.id ?? '' },
    body: { body: 'Replaced.' },
  })
  expect(await customer.must('GET /api/branding/announcement')).toBeNull()
  expect((await pageWith('Replaced.', '/status/history')).body).toContain('Resolved')
  const reopened = await admin.must('POST /api/status/incidents/{id}/updates', {
    ...at,
    body: { state: 'monitoring', body: 'Not quite.' },
  })
  expect(reopened).toMatchObject({ state: 'monitoring', endsAt: null })
  await admin.must('DELETE /api/status/incidents/{id}', at)
  expect((await admin.call('GET /api/status/incidents/{id}', at)).status).toBe(404)
})

test('maintenance follows its times, and refuses implausible ones', async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
  const plan = (startsAt: string, endsAt: string) =>
    admin.call('POST /api/status/incidents', {
      body: {
        kind: 'maintenance',
        title: 'Work',
        body: 'New discs.',
        startsAt,
        endsAt,
        publish: true,
      },
    })
  expect(await plan(hours(2), hours(1))).toMatchObject({ status: 400 })
  expect(await plan(hours(-2), hours(-1))).toMatchObject({ status: 400 })
  const { body: made } = await plan(hours(1), hours(2))
  expect(made.state).toBe('scheduled')
  const at = { params: { id: made.id } }
  const update = (state: 'completed' | 'cancelled' | 'resolved') =>
    admin.call('POST /api/status/incidents/{id}/updates', { ...at, body: { state, body: 'x' } })
  expect(await update('resolved')).toMatchObject({ status: 400 })
  expect(await update('completed')).toMatchObject({ status: 409 })
  const moved = await admin.must('PATCH /api/status/incidents/{id}', {
    ...at,
    body: { startsAt: hours(-1) },
  })
  expect(moved.state).toBe('in_progress')
  const impact = { ...at, body: { impact: 'outage' as const } }
  expect(await admin.call('PATCH /api/status/incidents/{id}', impact)).toMatchObject({
    status: 409,
  })
  expect(await update('completed')).toMatchObject({ status: 201, body: { state: 'completed' } })
  expect(await update('cancelled')).toMatchObject({ status: 409 })
  const later = { ...at, body: { endsAt: hours(5) } }
  expect(await admin.call('PATCH /api/status/incidents/{id}', later)).toMatchObject({ status: 409 })
})

test('the feed is Atom, with every update and addresses that lead to it', async () => {
  const { id } = await open(admin, { title: 'Cable <cut> & more' })
  const { body, headers } = await pageWith(id, '/status/feed.atom')
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  expect(body.startsWith('<?xml version="1.0" encoding="utf-8"?>')).toBe(true)
  expect(body).toContain('<title>Investigating: Cable &#60;cut&#62; &#38; more</title>')
  const link =
    /<link rel="alternate" type="text\/html" href="[^"]*(\/status\/incidents\/[^"#]+)#/.exec(body)
  expect((await pageAt(lodge, link?.[1] ?? '')).statusCode).toBe(200)
})

test('components are in the operator’s order', async () => {
  const { items } = await admin.must('GET /api/status/components')
  const ids = items.map(({ id }) => id).reverse()
  await admin.must('PUT /api/status/components/order', { body: { ids } })
  const after = await admin.must('GET /api/status/components')
  expect(after.items.map(({ id }) => id)).toEqual(ids)
  expect(after.locations).toContain('Rack 7 cellar')
})

test('who may see may not change, and every change is recorded', async () => {
  const viewer = await lodge.limitedAdmin(['status.view'])
  expect((await viewer.call('GET /api/status/components')).status).toBe(200)
  expect(await viewer.call('PUT /api/status/settings', { body: SETTINGS })).toMatchObject({
    status: 403,
  })
  const { items } = await admin.must('GET /api/audit', { query: { limit: 100 } })
  const words = items.map(({ action }) => action)
  expect(words).toContain('PUT /api/status/settings')
  expect(words).toContain('POST /api/status/incidents/{id}/publish')
})
