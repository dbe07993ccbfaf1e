import type { ChangePreferences } from '@lodge/shared/accounts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge?.[Symbol.asyncDispose]())

test('an account from before densities has none, and a change keeps the fields that it leaves out', async () => {
  const customer = await lodge.customer()
  const now = async () => (await customer.must('GET /api/auth/me')).preferences
  expect(await now()).toEqual({ mode: null, density: null, clock: null, language: null, lists: {} })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'light', density: 'compact' } })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'dark' } })
  expect(await now()).toEqual({
    mode: 'dark',
    density: 'compact',
    clock: null,
    language: null,
    lists: {},
  })
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'dark', density: null } })
  expect(await now()).toEqual({
    mode: 'dark',
    density: null,
    clock: null,
    language: null,
    lists: {},
  })
})

test('the language of the panel stays until another one is chosen, or none', async () => {
  const customer = await lodge.customer()
  const put = async (body: ChangePreferences) =>
    (await customer.must('PUT /api/auth/preferences', { body })).preferences.language
  expect(await put({ mode: null, language: 'de' })).toBe('de')
  expect(await put({ mode: 'dark' })).toBe('de')
  expect(await put({ mode: 'dark', language: null })).toBe(null)
})

test('an unknown density or language is refused', async () => {
  const customer = await lodge.customer()
  for (const unknown of [{ density: 'tiny' }, { language: 'tlh' }]) {
    const body = { mode: null, ...unknown } as never
    expect((await customer.call('PUT /api/auth/preferences', { body })).status).toBe(400)
  }
})

describe('a list that somebody arranged', () => {
  const columns = [
    { id: 'name', shown: true, widthPx: 240 },
    { id: 'owner', shown: false, widthPx: null },
  ]
  const views = [{ name: 'Crashed', filter: 'state:crashed', sort: '-cpu', columns: [] }]

  test('is kept beside the others, whatever else changes, and can be put back', async () => {
    const person = await lodge.customer()
    const put = (body: ChangePreferences) => person.must('PUT /api/auth/preferences', { body })
    const servers = { columns, pageSize: 100 as const, views }
    const tokens = { columns: [], pageSize: 25 as const, views: [] }
    await put({ mode: 'light', lists: { servers } })
    await put({ mode: 'dark', lists: { tokens } })
    await put({ mode: 'dark', density: 'compact' })
    const { preferences } = await person.must('GET /api/auth/me')
    expect(preferences).toEqual({
      mode: 'dark',
      density: 'compact',
      clock: null,
      language: null,
      lists: { servers, tokens },
    })
    await put({ mode: 'dark', lists: { servers: null } })
    expect((await person.must('GET /api/auth/me')).preferences.lists).toEqual({ tokens })
  })

  test('changed concurrently in two windows keeps both lists', async () => {
    const person = await lodge.customer()
    const list = { columns, pageSize: 50 as const, views: [] }
    await Promise.all(
      (['servers', 'jobs', 'tokens', 'audit'] as const).map((name) =>
        person.must('PUT /api/auth/preferences', { body: { mode: null, lists: { [name]: list } } }),
      ),
    )
    const { lists } = (await person.must('GET /api/auth/me')).preferences
    expect(Object.keys(lists).toSorted()).toEqual(['audit', 'jobs', 'servers', 'tokens'])
  })

  test.each([
    ['an unknown list', { ships: { columns: [], pageSize: 50, views: [] } }],
    [
      'a width of no column',
      { servers: { columns: [{ ...columns[0], widthPx: 0 }], pageSize: 50, views: [] } },
    ],
    [
      'two views of one name',
      { servers: { columns: [], pageSize: 50, views: [...views, ...views] } },
    ],
    ['a page of any size', { servers: { columns: [], pageSize: 1000, views: [] } }],
    [
      'more views than anybody reads',
      {
        servers: {
          columns: [],
          pageSize: 50,
          views: Array.from({ length: 21 }, (_, at) => ({ ...views[0], name: `View ${at}` })),
        },
      },
    ],
  ])('is refused with %s', async (_, lists) => {
    const person = await lodge.customer()
    const body = { mode: null, lists } as never
    expect((await person.call('PUT /api/auth/preferences', { body })).status).toBe(400)
  })
})
