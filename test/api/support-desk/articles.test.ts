import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let author: Caller
let customer: Caller

beforeAll(async () => {
  lodge = await startLodge()
  author = await lodge.limitedAdmin(['articles.manage'])
  customer = await lodge.customer()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

interface Given {
  slug: string
  title: string
  bodyMarkdown?: string
  locale?: string
  visibility?: 'public' | 'customers' | 'internal'
  status?: 'draft' | 'published' | 'archived'
  keywords?: string[]
  revision?: number
}
const write = (given: Given) =>
  author.must('POST /api/support/articles', {
    body: { locale: 'en', bodyMarkdown: 'Text.', status: 'published', ...given },
  })
const slugsOf = async (reader: Caller, q = '') =>
  (await reader.must('GET /api/support/articles', { query: { q, limit: 100 } })).items.map(
    ({ slug }) => slug,
  )

describe('a help article', () => {
  test('can be read by the audience of its visibility, once it is published', async () => {
    await write({ slug: 'for-all', title: 'For all', visibility: 'public' })
    await write({ slug: 'for-customers', title: 'For customers' })
    await write({ slug: 'for-staff', title: 'For staff', visibility: 'internal' })
    await write({ slug: 'a-draft', title: 'A draft', visibility: 'public', status: 'draft' })
    const { items } = await lodge.anonymous().must('GET /api/support/public', { query: {} })
    expect(items.map(({ slug }) => slug)).toEqual(['for-all'])
    expect(await slugsOf(customer)).toEqual(['for-all', 'for-customers'])
    const staff = await lodge.limitedAdmin([])
    expect(await slugsOf(staff)).toEqual(['for-all', 'for-customers', 'for-staff'])
    expect(await slugsOf(author)).toEqual(['a-draft', 'for-all', 'for-customers', 'for-staff'])
    for (const [reader, slug] of [
      [customer, 'for-staff'],
      [customer, 'a-draft'],
      [staff, 'a-draft'],
    ] as const) {
      const answer = await reader.call('GET /api/support/articles/{slug}', { params: { slug } })
      expect(answer.status).toBe(404)
    }
    const hidden = { params: { slug: 'for-customers' } }
    const answer = await lodge.anonymous().call('GET /api/support/public/{slug}', hidden)
    expect(answer.status).toBe(404)
  })

  test('shows its source only to those who may write it', async () => {
    const params = { slug: 'for-all' }
    const read = await customer.must('GET /api/support/articles/{slug}', { params })
    expect(read).toMatchObject({ html: '<p>Text.</p>\n', source: null })
    const written = await author.must('GET /api/support/articles/{slug}', { params })
    expect(written.source).toEqual({ bodyMarkdown: 'Text.', keywords: [], revision: 1 })
  })

  test('is found by stems, by keywords and despite misspelt words', async () => {
    await write({
      slug: 'restore-a-backup',
      title: 'Restoring a backup',
      bodyMarkdown: 'Open **Backups**, choose one and confirm. Files that are newer stay beside.',
      keywords: ['rollback'],
    })
    await write({
      slug: 'ports',
      title: 'Opening further ports',
      bodyMarkdown: 'A server has one port of its own.',
    })
    expect(await slugsOf(customer, 'restored backups')).toEqual(['restore-a-backup'])
    expect(await slugsOf(customer, 'rollback')).toEqual(['restore-a-backup'])
    expect(await slugsOf(customer, 'restoring a bakcup')).toContain('restore-a-backup')
    expect(await slugsOf(customer, 'firewall of a hundred rules')).toEqual([])
    const query = { q: 'confirm' }
    const { items } = await customer.must('GET /api/support/search', { query })
    expect(items[0]?.excerpt).toContain('choose one and confirm')
  })

  test('is served in the best matching language', async () => {
    await write({ slug: 'two-languages', title: 'House', bodyMarkdown: 'A house.' })
    await write({
      slug: 'two-languages',
      locale: 'de',
      title: 'Haus',
      bodyMarkdown: 'Viele Häuser.',
    })
    const inLocale = async (locale: string) => {
      const given = { params: { slug: 'two-languages' }, query: { locale } }
      return (await customer.must('GET /api/support/articles/{slug}', given)).title
    }
    expect(await inLocale('de-AT')).toBe('Haus')
    expect(await inLocale('fr')).toBe('House')
    const query = { q: 'Haus', locale: 'de' }
    const { items } = await customer.must('GET /api/support/search', { query })
    expect(items.map(({ title }) => title)).toEqual(['Haus'])
  })

  test('keeps earlier texts, and cannot be replaced by somebody who has not seen the newest', async () => {
    const slug = 'edited-by-two'
    await write({ slug, title: 'First', revision: 0 })
    await write({ slug, title: 'Second', revision: 1 })
    const stale = await author.call('POST /api/support/articles', {
      body: { slug, locale: 'en', title: 'Third', bodyMarkdown: 'Text.', revision: 1 },
    })
    expect(stale).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const revisions = await author.must('GET /api/support/articles/{slug}/revisions', {
      params: { slug },
      query: { locale: 'en' },
    })
    expect(revisions.items.map(({ revision, title }) => [revision, title])).toEqual([
      [2, 'Second'],
      [1, 'First'],
    ])
    expect(revisions.items[0]?.author).toBe(author.email)
  })

  test('counts one vote of each person, which can be changed and withdrawn', async () => {
    const params = { slug: 'for-all' }
    const vote = (reader: Caller, helpful: boolean | null) =>
      reader.must('POST /api/support/articles/{slug}/vote', { params, body: { helpful } })
    await vote(customer, true)
    expect(await vote(customer, false)).toMatchObject({
      helpful: 0,
      unhelpful: 1,
      vote: 'unhelpful',
    })
    expect(await vote(await lodge.customer(), true)).toMatchObject({ helpful: 1, unhelpful: 1 })
    expect(await vote(customer, null)).toMatchObject({ helpful: 1, unhelpful: 0, vote: null })
  })

  test('created by concurrent requests exists once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        author.call('POST /api/support/articles', {
          body: { slug: 'at-once', locale: 'en', title: `Text ${index}`, bodyMarkdown: 'Text.' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const given = { params: { slug: 'at-once' } }
    const { source } = await author.must('GET /api/support/articles/{slug}', given)
    expect(source?.revision).toBe(8)
  })

  test('is deleted in one language, or whole', async () => {
    const params = { slug: 'two-languages' }
    await author.must('DELETE /api/support/articles/{slug}', { params, query: { locale: 'de' } })
    const left = await customer.must('GET /api/support/articles/{slug}', { params })
    expect(left.locales).toEqual(['en'])
    await author.must('DELETE /api/support/articles/{slug}', { params })
    const gone = await customer.call('GET /api/support/articles/{slug}', { params })
    expect(gone.status).toBe(404)
  })

  test('lists continue where a page ended', async () => {
    const seen: string[] = []
    let after: string | undefined
    do {
      const query = { limit: 2, ...(after !== undefined && { after }) }
      const page = await author.must('GET /api/support/articles', { query })
      seen.push(...page.items.map(({ slug }) => slug))
      after = page.nextCursor ?? undefined
    } while (after !== undefined)
    expect(seen).toEqual(await slugsOf(author))
    expect(new Set(seen).size).toBe(seen.length)
  })
})
