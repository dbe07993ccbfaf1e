import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { SmtpSink } from '../../support/smtp-sink.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { open, pageAt, SETTINGS } from './status.fixture.ts'

let lodge: Lodge
let admin: Caller
let sink: SmtpSink
let incident: string
beforeAll(async () => {
  sink = new SmtpSink()
  await sink.listen()
  lodge = await startLodge()
  admin = await lodge.admin()
  await lodge.database.pool.query(
    `insert into settings (area, value) values ('mail', $1)
     on conflict (area) do update set value = excluded.value`,
    [sink.settings],
  )
  await admin.must('POST /api/status/components', {
    body: { source: 'manual', name: 'Zurich' } as never,
  })
  await admin.must('PUT /api/status/settings', { body: { ...SETTINGS, subscriptions: true } })
  incident = (await open(admin, { title: 'Switch gone' })).id
  await until(async () => (await pageAt(lodge, '/status')).body.includes('Switch gone'))
})
afterAll(async () => {
  await lodge?.[Symbol.asyncDispose]()
  await sink?.[Symbol.asyncDispose]()
})

const GERMAN = { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' }
/** What a reader sees of a page, without what the host wrote. */
const seen = (body: string) =>
  body
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/Switch gone|Zurich|We look into it\.|Lodge/g, '')

test('every public page is in the first available language that the browser requests', async () => {
  for (const [url, german, english] of [
    ['/status', 'Die letzten 14 Tage', 'Last 14 days'],
    ['/status/history', 'Störungen und Wartungen der letzten 90 Tage.', 'Incidents and'],
    [`/status/incidents/${incident}`, 'Wird untersucht', 'Investigating'],
    ['/status/confirm?token=x', 'Adresse bestätigen', 'Confirm address'],
    ['/status/unsubscribe?token=x', 'E-Mails beenden', 'End mail'],
  ] as const) {
    const page = await pageAt(lodge, url, GERMAN)
    expect(page.body, url).toContain('<html lang="de">')
    expect(seen(page.body), url).toContain(german)
    expect(seen(page.body), url).not.toMatch(/\b(the|of|and|is|days|back|today|uptime|not)\b/)
    const other = await pageAt(lodge, url, { 'accept-language': 'fr' })
    expect(other.body, url).toContain('<html lang="en">')
    expect(seen(other.body), url).toContain(english)
  }
})

test('caches store each language separately', async () => {
  const [german, english] = [await pageAt(lodge, '/status', GERMAN), await pageAt(lodge, '/status')]
  expect(german.headers.vary).toBe('accept-encoding, accept-language, cookie')
  expect(german.headers.etag).not.toBe(english.headers.etag)
  const etag = String(english.headers.etag)
  const asked = await pageAt(lodge, '/status', { ...GERMAN, 'if-none-match': etag })
  expect(asked.statusCode).toBe(200)
})

test('the feed names states in the language of its reader', async () => {
  const { body } = await pageAt(lodge, '/status/feed.atom', GERMAN)
  expect(body).toContain('xml:lang="de"')
  expect(body).toContain('<title>Lodge – Status</title>')
  expect(body).toContain('<title>Wird untersucht: Switch gone</title>')
  expect((await pageAt(lodge, '/status/feed.atom')).body).toContain('<title>Lodge status</title>')
})

test('a signed-in person reads it in the language of the account', async () => {
  const reader = await lodge.customer()
  const page = async (asked: string) =>
    (
      await reader.send({ method: 'GET', url: '/status', headers: { 'accept-language': asked } })
    ).body.slice(0, 40)
  const speak = (language: 'de' | 'en' | null) =>
    reader.must('PUT /api/auth/preferences', { body: { mode: 'system', language } })
  await speak('de')
  expect(await page('en')).toContain('lang="de"')
  await speak('en')
  expect(await page('de')).toContain('lang="en"')
  await speak(null)
  expect(await page('de')).toContain('lang="de"')
  // Chosen on another device.
  const elsewhere = await lodge.session(reader.id, reader.email)
  await elsewhere.must('PUT /api/auth/preferences', { body: { mode: 'system', language: 'de' } })
  await reader.must('GET /api/auth/me')
  expect(await page('en')).toContain('lang="de"')
  await reader.must('POST /api/auth/logout')
  expect(await page('en')).toContain('lang="en"')
})

test('signing in switches to the language of the account', async () => {
  const email = 'german-reader@example.com'
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  const first = await lodge.session(id, email)
  await first.must('PUT /api/auth/preferences', { body: { mode: 'system', language: 'de' } })
  const browser = lodge.anonymous()
  await browser.must('POST /api/auth/login', { body: { email, password: PASSWORD } })
  expect(browser.language).toBe('de')
})

test('subscribers are mailed in the language in which they subscribed', async () => {
  const form = (email: string, headers: Record<string, string>) =>
    lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/status/subscribers' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams({ email }).toString(),
    })
  const asked = await form('german@example.com', GERMAN)
  expect(asked.body).toContain('Sehen Sie in Ihrem Postfach nach')
  const wrong = await form('no address', GERMAN)
  expect([wrong.statusCode, wrong.body.includes('Das ist keine E-Mail-Adresse')]).toEqual([
    400,
    true,
  ])
  await form('english@example.com', {})
  const confirm = await mailTo(lodge, 'german@example.com', 'status_confirm')
  expect(confirm.subject).toMatch(/^E-Mails zum Status von /)
  expect((await mailTo(lodge, 'english@example.com', 'status_confirm')).subject).toMatch(
    /^Get mail/,
  )
  await lodge.database.pool.query(
    `update status_subscribers set confirmed_at = now() - interval '1 minute', confirm_hash = null,
       confirm_until = null`,
  )
  await open(admin, { title: 'Disc full' })
  const update = await mailTo(lodge, 'german@example.com', 'status_update')
  expect(update.subject).toBe('Wird untersucht: Disc full')
  expect((await mailTo(lodge, 'english@example.com', 'status_update')).subject).toBe(
    'Investigating: Disc full',
  )
})
