import { createHash } from 'node:crypto'
import { type Branding, DEFAULT_BRANDING, KEPT_VERSIONS } from '@lodge/shared/branding.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lookOfMails } from '../../../control-plane/src/domains/branding/index.ts'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { picture, uploadOf } from '../../support/pictures.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())
beforeEach(async () => {
  await lodge.database.pool.query('delete from branding_versions')
})

const look = (change: Partial<Branding>): Branding => ({ ...DEFAULT_BRANDING, ...change })
const save = (change: Partial<Branding>, more: object = {}) =>
  admin.call('PUT /api/branding', { body: { branding: look(change), ...more } })
const upload = async (kind: string, bytes: Buffer) =>
  admin.send({
    method: 'POST',
    url: '/api/branding/assets',
    ...(await uploadOf([
      ['kind', kind],
      ['file', bytes],
    ])),
  })
const uploaded = async (kind: string, bytes: Buffer): Promise<string> => {
  const response = await upload(kind, bytes)
  expect(response.statusCode).toBe(201)
  return response.json().sha
}
const css = (customCss: string) =>
  admin.call('POST /api/branding/validate', { body: { branding: look({ customCss }) } })
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code

test('the panel is Lodge until somebody saves another look', async () => {
  expect(await lodge.anonymous().must('GET /api/branding')).toMatchObject({
    name: 'Lodge',
    images: { mark: null, wordmark: null, favicon: null, login: null },
  })
  expect(await admin.must('GET /api/branding/admin')).toMatchObject({ revision: 0, history: [] })
  const image = await lodge.anonymous().send({ method: 'GET', url: '/api/branding/assets/mark' })
  expect(image.statusCode).toBe(404)
})

test('a saved look is a version with author, reason and what changed', async () => {
  await save({ name: 'Blocky' }, { baseRevision: 0, reason: 'Our name' })
  await save({ name: 'Blocky', radius: 4 }, { baseRevision: 1 })
  const { revision, history } = await admin.must('GET /api/branding/admin')
  expect(revision).toBe(2)
  expect(history).toMatchObject([
    { revision: 2, reason: '', changed: ['radius'] },
    { revision: 1, reason: 'Our name', author: 'root@example.com', changed: ['name'] },
  ])
  const version = await admin.must('GET /api/branding/history/{id}', {
    params: { id: history[1]?.id ?? '' },
  })
  expect(version.branding).toMatchObject({ name: 'Blocky', radius: DEFAULT_BRANDING.radius })
})

test('saving from an older version is refused with a conflict, and loses nothing', async () => {
  await save({ name: 'First' }, { baseRevision: 0 })
  const stale = await save({ name: 'Second' }, { baseRevision: 0 })
  expect(stale).toMatchObject({ status: 409, body: { code: 'revision_stale', revision: 1 } })
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name) => save({ name }, { baseRevision: 1 })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
})

test('a version comes back as a new one, and the default look too', async () => {
  await save({ name: 'First' })
  await save({ name: 'Second' })
  const { history } = await admin.must('GET /api/branding/admin')
  const id = history.find(({ revision }) => revision === 1)?.id ?? ''
  expect(
    await admin.must('POST /api/branding/history/{id}/restore', { params: { id } }),
  ).toMatchObject({ revision: 3, branding: { name: 'First' } })
  expect(await admin.must('POST /api/branding/reset')).toMatchObject({
    revision: 4,
    branding: DEFAULT_BRANDING,
  })
})

test('a bounded number of versions is stored', async () => {
  for (let at = 0; at < KEPT_VERSIONS + 3; at++) await save({ name: `Name ${at}` })
  const { revision, history } = await admin.must('GET /api/branding/admin')
  expect([revision, history.length]).toEqual([KEPT_VERSIONS + 3, KEPT_VERSIONS])
})

describe('an image', () => {
  test('is re-encoded, previewed, used and cached by its digest', async () => {
    const sha = await uploaded('mark', await picture(600, 300))
    const preview = await admin.send({ method: 'GET', url: `/api/branding/blobs/mark/${sha}` })
    expect(preview.headers['content-type']).toBe('image/png')
    expect(createHash('sha256').update(preview.rawPayload).digest('hex')).toBe(sha)
    await save({ images: { ...DEFAULT_BRANDING.images, mark: sha } })
    const shown = await lodge.anonymous().send({ method: 'GET', url: '/api/branding/assets/mark' })
    expect(shown.rawPayload).toEqual(preview.rawPayload)
    expect(shown.headers).toMatchObject({ etag: `"${sha}"`, 'x-content-type-options': 'nosniff' })
    const again = await lodge.anonymous().send({
      method: 'GET',
      url: '/api/branding/assets/mark',
      headers: { 'if-none-match': `"${sha}"` },
    })
    expect(again.statusCode).toBe(304)
  })

  test('of a format that can contain scripts is rendered to pixels', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z" fill="red"/></svg>'
    const response = await upload('favicon', Buffer.from(svg))
    expect(response.json()).toMatchObject({ type: 'image/png', width: 128, height: 128 })
  })

  test('that hides anything contains nothing but pixels afterwards', async () => {
    const hidden = Buffer.concat([await picture(), Buffer.from('<script>alert(1)</script>')])
    const sha = await uploaded('wordmark', hidden)
    const preview = await admin.send({ method: 'GET', url: `/api/branding/blobs/wordmark/${sha}` })
    expect(preview.rawPayload.includes('script')).toBe(false)
  })

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['an SVG with a program', () => Buffer.from('<svg onload="alert(1)"></svg>')],
    ['an SVG with a script', () => Buffer.from('<svg><script>alert(1)</script></svg>')],
    ['an SVG with HTML', () => Buffer.from('<svg><foreignObject><p>x</p></foreignObject></svg>')],
    [
      'an SVG with entities',
      () => Buffer.from('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'),
    ],
    ['a picture of too many pixels', () => picture(2049, 10)],
    ['a picture that is cut off', async () => (await picture(300, 300)).subarray(0, 90)],
    ['something else', () => Buffer.from('%PDF-1.7')],
    ['nothing', () => Buffer.alloc(0)],
  ])('is refused: %s', async (_name, bytes) => {
    const response = await upload('mark', await bytes())
    expect(response.json()).toMatchObject({ code: 'invalid_image' })
  })

  test('cannot reference an external file or address', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">
      <image href="file:///etc/passwd" width="8" height="8"/><use xlink:href="http://127.0.0.1:1/x#a"/>
      <rect width="8" height="8" fill="url(http://127.0.0.1:1/x)"/></svg>`
    const sha = await uploaded('mark', Buffer.from(svg))
    const empty = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>'
    expect(sha).toBe(await uploaded('mark', Buffer.from(empty)))
  })

  test('needs a known kind before it', async () => {
    const file = await picture()
    for (const fields of [
      [
        ['file', file],
        ['kind', 'mark'],
      ],
      [
        ['kind', 'banner'],
        ['file', file],
      ],
      [['kind', 'mark']],
    ] as const) {
      const response = await admin.send({
        method: 'POST',
        url: '/api/branding/assets',
        ...(await uploadOf(fields)),
      })
      expect(response.json()).toMatchObject({ status: 400, code: 'validation_failed' })
    }
  })

  test('that was not uploaded cannot be saved', async () => {
    const refused = await save({ images: { ...DEFAULT_BRANDING.images, login: '0'.repeat(64) } })
    expect(refused).toMatchObject({ status: 400 })
  })
})

describe('custom CSS', () => {
  test('is served as it was parsed', async () => {
    const { status, body } = await css(
      '/* ours */ .lodge-header:hover { color: #123456; padding: 4px } @media (width > 900px) { :root { --lodge-gap: 4px } }',
    )
    expect(status).toBe(200)
    expect(body.css).toBe(
      '.lodge-header:hover{color:#123456;padding:4px}@media (width>900px){:root{--lodge-gap:4px}}',
    )
  })

  test.each([
    '.lodge-a { background: url(http://evil.example/x) }',
    '.lodge-a { background-image: url("x") }',
    '.lodge-a { color: u\\72l(http://evil.example) }',
    '@import "http://evil.example/x.css";',
    '@font-face { font-family: x; src: local(x) }',
    'input[value^="a"] { color: red }',
    '.lodge-a[href^="a"] { color: red }',
    'body { color: red }',
    '* { color: red }',
    '#root { color: red }',
    '.other { color: red }',
    '.lodge-a { position: fixed }',
    '.lodge-a { display: none }',
    '.lodge-a { opacity: 0 }',
    '.lodge-a { behavior: url(x) }',
    '.lodge-a { width: expression(alert(1)) }',
    '.lodge-a { color: red } </style><script>alert(1)</script>',
    ':root { --lodge-x: url(http://evil.example) }',
    ':root { --lodge-x: image-set("x" 1x) }',
    '.lodge-a::before { content: "x" }',
    '.lodge-a:has(input) { color: red }',
    '.lodge-a { color: red; & b { color: red } }',
  ])('is refused: %s', async (text) => {
    expect(codeOf(await css(text))).toBe('validation_failed')
  })
})

describe('a theme file', () => {
  test('brings a look with its images to another panel, for review', async () => {
    const sha = await uploaded('mark', await picture(80, 80))
    await save({ name: 'Blocky', images: { ...DEFAULT_BRANDING.images, mark: sha } })
    const file = await admin.must('GET /api/branding/export')
    await lodge.database.pool.query('delete from branding_versions')
    await lodge.database.pool.query('delete from branding_images')
    const read = await admin.must('POST /api/branding/import', { body: file })
    expect(read).toMatchObject({ branding: { name: 'Blocky' }, warnings: [] })
    // The file was only parsed: nothing is saved.
    expect(await admin.must('GET /api/branding/admin')).toMatchObject({ revision: 0 })
    expect((await save(read.branding)).status).toBe(200)
  })

  test('of a later version, with a wrong digest or with hostile contents is refused', async () => {
    const file = { ...(await admin.must('GET /api/branding/export')) }
    const read = (change: object) =>
      admin.call('POST /api/branding/import', { body: { ...file, ...change } })
    expect(await read({ formatVersion: 99 })).toMatchObject({ status: 422 })
    const base64 = (await picture()).toString('base64')
    const mark = { type: 'image/png', sha256: '0'.repeat(64), base64 }
    expect(codeOf(await read({ images: { mark } }))).toBe('validation_failed')
    expect(codeOf(await read({ branding: look({ customCss: '@import "x"' }) }))).toBe(
      'validation_failed',
    )
    const script = Buffer.from('<svg><script>alert(1)</script></svg>')
    const hostile = {
      type: 'image/svg+xml',
      sha256: createHash('sha256').update(script).digest('hex'),
      base64: script.toString('base64'),
    }
    expect(codeOf(await read({ images: { mark: hostile } }))).toBe('invalid_image')
  })
})

describe('an announcement', () => {
  const announcement = {
    ...DEFAULT_BRANDING.announcement,
    enabled: true,
    text: 'Maintenance on Sunday',
  }
  const shownTo = async (caller: Caller) => caller.must('GET /api/branding/announcement')

  test('reaches its audience, and its id changes with its text', async () => {
    const customer = await lodge.customer()
    await save({ announcement: { ...announcement, audience: 'customers' } })
    const first = await shownTo(customer)
    expect(first).toMatchObject({ text: 'Maintenance on Sunday', severity: 'info' })
    expect(await shownTo(admin)).toBeNull()
    await save({ announcement: { ...announcement, text: 'Maintenance is over' } })
    expect((await shownTo(admin))?.id).not.toBe(first?.id)
  })

  test('begins and ends automatically', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    await save({ announcement: { ...announcement, startsAt: at(60_000) } })
    expect(await shownTo(admin)).toBeNull()
    await save({ announcement: { ...announcement, startsAt: at(-60_000), endsAt: at(60_000) } })
    expect(await shownTo(admin)).not.toBeNull()
    await save({ announcement: { ...announcement, endsAt: at(-1) } })
    expect(await shownTo(admin)).toBeNull()
  })
})

test('a theme file that is refused at its last image leaves none behind', async () => {
  await lodge.database.pool.query('delete from branding_images')
  const file = { ...(await admin.must('GET /api/branding/export')) }
  const good = await picture(60, 60)
  const sha256 = createHash('sha256').update(good).digest('hex')
  const image = { type: 'image/png', sha256, base64: good.toString('base64') }
  const kept = async () =>
    (await lodge.database.pool.query('select kind from branding_images')).rows.length
  const read = (login: typeof image) =>
    admin.call('POST /api/branding/import', {
      body: { ...file, images: { mark: image, favicon: image, login } },
    })
  expect(codeOf(await read({ ...image, sha256: '0'.repeat(64) }))).toBe('validation_failed')
  expect(await kept()).toBe(0)
  expect((await read(image)).status).toBe(200)
  expect(await kept()).toBe(3)
})

test('the style sheet and the colours of mails follow every new look, and one that comes back', async () => {
  const style = async (etag = '') =>
    lodge.anonymous().send({
      method: 'GET',
      url: '/api/branding/style/1',
      headers: { 'if-none-match': etag },
    })
  const colours = async (accent: string) => {
    await save({ colors: { accent, second: '#e0632b' } })
    const { headers, body } = await style()
    expect((await style(String(headers.etag))).statusCode).toBe(304)
    return {
      etag: headers.etag,
      body,
      button: (await lookOfMails(lodge.controlPlane.services.db, 'x')).button,
    }
  }
  const green = await colours('#0a7d48')
  const red = await colours('#b3261e')
  expect([red.body, red.etag, red.button]).not.toContain(green.body)
  expect(red.etag).not.toBe(green.etag)
  expect(red.button).not.toBe(green.button)
  expect((await style(String(green.etag))).statusCode).toBe(200)
  expect(await colours('#0a7d48')).toEqual(green)
})

test('documents and the API reference have the name of the host', async () => {
  const titleOf = async (url: string) =>
    (await lodge.anonymous().send({ method: 'GET', url })).body.match(/<title>(.*)<\/title>/)?.[1]
  expect(await titleOf('/docs/help/servers')).toBe('Servers · Lodge')
  await save({ name: 'Blocky <3' })
  expect(await titleOf('/docs/help/servers')).toBe('Servers · Blocky &#60;3')
  expect(await titleOf('/docs/api/')).toBe('API reference · Blocky &#60;3')
})

test('mails, authenticators and the page have the name of the panel', async () => {
  await save({ name: 'Blocky <3', colors: { accent: '#00aa55', second: '#e0632b' } })
  const email = 'named@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const person = await lodge.session(id, email)
  const { uri } = await person.must('POST /api/auth/totp/setup')
  expect(new URL(uri).searchParams.get('issuer')).toBe('Blocky <3')
  await lodge.anonymous().must('POST /api/auth/forgot', { body: { email } })
  const mail = await mailTo(lodge, email, 'password_reset')
  expect(JSON.stringify(mail)).toContain('Blocky')
  const style = await lodge.anonymous().send({ method: 'GET', url: '/api/branding/style/1' })
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8')
  expect(style.body).toContain("[data-mantine-color-scheme='dark']")
})
