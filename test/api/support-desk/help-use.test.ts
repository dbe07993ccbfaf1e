import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldUse } from '../../../control-plane/src/domains/support/help-use/store.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let beside: Lodge
let author: Caller
let lead: Caller
let customer: Caller

const sql = (text: string, ...values: unknown[]) => lodge.database.pool.query(text, values)

beforeAll(async () => {
  lodge = await startLodge()
  beside = await lodge.beside()
  author = await lodge.limitedAdmin(['articles.manage'])
  lead = await lodge.limitedAdmin(['support.view', 'support.reports'])
  customer = await lodge.customer()
})
afterAll(async () => {
  await beside?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
beforeEach(() => sql('truncate support_articles, support_missed_searches, rate_limits cascade'))

const write = (slug: string, more: object = {}) =>
  author.must('POST /api/support/articles', {
    body: {
      ...{ slug, locale: 'en', title: `About ${slug}`, bodyMarkdown: 'Text.' },
      ...{ status: 'published', visibility: 'public', ...more },
    },
  })
const read = (reader: Caller, slug: string, locale?: string) =>
  reader.call('POST /api/support/public/{slug}/read', {
    ...{ params: { slug }, query: locale === undefined ? {} : { locale } },
  })
const miss = (searcher: Caller, q: string) =>
  searcher.call('POST /api/support/public/nothing-found', { body: { q } })
const help = async (query: object = {}) =>
  (await lead.must('GET /api/support/reports', { query })).help
const file = async (rows: 'article' | 'search') => {
  const { body } = await lead.send({
    ...{ method: 'GET', url: `/api/support/reports.csv?rows=${rows}` },
  })
  return body.trimEnd().split('\r\n')
}

test('reads of an article are counted over all its languages, except those by staff', async () => {
  await write('backups')
  await write('backups', { locale: 'de', title: 'Sicherungen' })
  await write('members', { visibility: 'customers' })
  await write('draft', { status: 'draft' })
  const visitor = lodge.anonymous()
  for (const reader of [visitor, visitor, customer, author])
    expect((await read(reader, 'backups')).status).toBe(204)
  expect((await read(beside.anonymous(), 'backups', 'de')).status).toBe(204)
  expect((await read(customer, 'members')).status).toBe(204)
  const refused = [
    await read(visitor, 'members'),
    await read(visitor, 'draft'),
    await read(author, 'draft'),
    await read(visitor, 'nowhere'),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  await customer.must('POST /api/support/articles/{slug}/vote', {
    ...{ params: { slug: 'backups' }, query: { locale: 'de' }, body: { helpful: true } },
  })
  expect((await help()).articles).toEqual([
    { slug: 'backups', title: 'About backups', reads: 4, helpful: 1, unhelpful: 0 },
    { slug: 'members', title: 'About members', reads: 1, helpful: 0, unhelpful: 0 },
  ])
  expect(await file('article')).toEqual([
    'slug,title,reads,helpful,unhelpful',
    'backups,About backups,4,1,0',
    'members,About members,1,0,0',
  ])
})

test('a search is counted only if it found nothing, with nothing but its words', async () => {
  await write('backups', { title: 'Restoring a backup' })
  const visitor = lodge.anonymous()
  for (const [searcher, q] of [
    [visitor, 'Minecraft  FORGE?'],
    [customer, 'minecraft forge'],
    [customer, 'minecraft forge ada@example.com'],
    [visitor, 'modpacks'],
    [visitor, 'restore backup'],
    [visitor, 'ada@example.com 203.0.113.7'],
    [author, 'what the staff want'],
  ] as const)
    expect((await miss(searcher, q)).status).toBe(204)
  await sql(`insert into support_missed_searches values (current_date - 20, 'modpacks', 7)`)
  expect((await help({ days: 7 })).missed).toEqual([
    { words: 'minecraft forge', searches: 3, days: 1 },
    { words: 'modpacks', searches: 1, days: 1 },
  ])
  expect((await help({ days: 30 })).missed[0]).toEqual({ words: 'modpacks', searches: 8, days: 2 })
  expect(await file('search')).toEqual([
    'words,searches,days',
    'modpacks,8,2',
    'minecraft forge,3,1',
  ])
})

test('the different words of a day and the searches of a network are limited, and old days are deleted', async () => {
  await sql(
    `insert into support_missed_searches
     select current_date + shift, 'word ' || at, 1
     from generate_series(1, 499) at, generate_series(-1, 1) shift`,
  )
  const visitor = lodge.anonymous({ address: '198.51.100.7' })
  for (const q of ['the last one', 'one too many', 'the last one']) await miss(visitor, q)
  const counted = async () => {
    const { rows } = await sql(
      `select words, searches from support_missed_searches where words like '%one%' order by words`,
    )
    return rows
  }
  expect(await counted()).toEqual([{ words: 'the last one', searches: 2 }])
  const statuses = new Set<number>()
  for (let each = 0; each < 60; each++) statuses.add((await miss(visitor, 'the last one')).status)
  expect([...statuses]).toEqual([204, 429])
  expect((await miss(lodge.anonymous({ address: '203.0.113.7' }), 'the last one')).status).toBe(204)

  await sql(`insert into support_missed_searches values (current_date - 401, 'old', 1)`)
  const { slug } = await write('kept')
  await sql(
    `insert into support_article_reads select current_date - age, id, 1 from support_articles, unnest(array[400, 401]) age
     where slug = $1`,
    slug,
  )
  expect(await deleteOldUse(lodge.controlPlane.services.db, 400)).toBe(2)
})
