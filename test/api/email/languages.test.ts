import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let admin: Caller
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
})
afterAll(() => lodge[Symbol.asyncDispose]())

let count = 0
async function person(): Promise<Caller> {
  const email = `reader-${++count}@example.com`
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  return lodge.session(id, email)
}
const changePassword = (caller: Caller) =>
  caller.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
const inbox = async (caller: Caller) => (await caller.must('GET /api/notifications')).items
const speak = (caller: Caller, language: 'de' | 'en') =>
  caller.must('PUT /api/auth/preferences', { body: { mode: 'system', language } })

test('mails and notifications are in the recipient’s language', async () => {
  const [german, english] = [await person(), await person()]
  await speak(german, 'de')
  for (const caller of [german, english]) await changePassword(caller)

  const mail = await mailTo(lodge, german.email, 'password_changed')
  expect(mail.subject).toBe('Ihr Passwort wurde geändert')
  expect(mail.text).toMatch(/^Guten Tag/)
  expect(await inbox(german)).toMatchObject([
    {
      title: 'Ihr Passwort wurde geändert',
      body: expect.stringMatching(
        /^Unbekanntes Gerät, .* Alle anderen Geräte wurden abgemeldet\.$/,
      ),
    },
  ])
  expect((await mailTo(lodge, english.email, 'password_changed')).subject).toBe(
    'Your password was changed',
  )
  expect(await inbox(english)).toMatchObject([{ title: 'Your password was changed' }])
})

test('the chosen language takes precedence over the format of times', async () => {
  const caller = await person()
  await caller.must('PATCH /api/auth/me', { body: { locale: 'de-CH' } })
  await changePassword(caller)
  expect(await inbox(caller)).toMatchObject([{ title: 'Ihr Passwort wurde geändert' }])
  await speak(caller, 'en')
  await changePassword(caller)
  expect((await inbox(caller))[0]).toMatchObject({ title: 'Your password was changed' })
})

test('a person without an account is invited in the language of the request', async () => {
  const email = 'invited@example.com'
  const response = await admin.send({
    method: 'POST',
    url: '/api/customers',
    headers: { 'accept-language': 'fr, de-AT;q=0.8, en;q=0.5' },
    payload: { email },
  })
  expect(response.statusCode).toBe(201)
  const { subject, text } = await mailTo(lodge, email, 'invitation')
  expect(subject).toMatch(/^Ihr Konto bei /)
  expect(text).toContain('Wählen Sie ein Passwort')
})

test('a person without an account is offered a server in the offering person’s language', async () => {
  const owner = await person()
  await speak(owner, 'de')
  const { id: templateId } = await lodge.template()
  const node = await lodge.node()
  await lodge.standIn(node)
  const given = { name: 'Welt', ownerId: owner.id, templateId, nodeId: node.id, start: false }
  const id = await lodge.server(given)
  const email = 'offered@example.com'
  await owner.must('POST /api/servers/{id}/collaborators', {
    params: { id },
    body: { email, permissions: ['power.start'], invite: true },
  })
  expect((await mailTo(lodge, email, 'collaborator_invite')).text).toMatch(/^Guten Tag/)
})

test('a new customer confirms the address in the language of the request', async () => {
  await admin.must('PUT /api/settings/signup', {
    body: {
      ...{ mode: 'open', captcha: { provider: 'off', siteKey: null } },
      terms: { required: false, termsUrl: null, privacyUrl: null },
    },
  })
  const email = 'signs-up@example.com'
  const post = async (url: string, payload: object) => {
    const headers = { 'accept-language': 'de-AT' }
    const { statusCode } = await lodge.anonymous().send({ method: 'POST', url, headers, payload })
    expect(statusCode).toBe(200)
  }
  await post('/api/auth/register', { email, password: PASSWORD })
  const { subject, token } = await mailTo(lodge, email, 'verify_email')
  expect(subject).toBe('Bestätigen Sie Ihre Adresse')
  await post('/api/auth/verify', { token })
  expect((await mailTo(lodge, email, 'welcome')).subject).toBe('Willkommen bei Lodge')
})

test('a reset link is sent in the language of the request', async () => {
  const { email } = await person()
  for (const [language, subject] of [
    ['de-AT', 'Wählen Sie ein neues Passwort'],
    ['en', 'Choose a new password'],
  ] as const) {
    const { statusCode } = await lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/auth/forgot', payload: { email } },
      headers: { 'accept-language': language },
    })
    expect(statusCode).toBe(200)
    await expect
      .poll(async () => (await mailTo(lodge, email, 'password_reset')).subject)
      .toBe(subject)
  }
})

test('another person’s browser does not affect the language', async () => {
  const caller = await person()
  const response = await admin.send({
    method: 'POST',
    url: `/api/customers/${caller.id}/suspend`,
    headers: { 'accept-language': 'de' },
    payload: { reasonCode: 'terms', publicReason: 'Please read our terms' },
  })
  expect(response.statusCode).toBe(200)
  const { subject } = await mailTo(lodge, caller.email, 'account_suspended')
  expect(subject).toMatch(/suspended/)
})

test('a person without a chosen language gets mails in that of their last sign-in', async () => {
  const { id, email } = await person()
  for (const [language, title, subject] of [
    ['de-AT', 'Ihr Konto wurde gesperrt', /gesperrt/],
    ['en', 'Your account was suspended', /suspended/],
  ] as const) {
    const { statusCode } = await lodge.anonymous().send({
      ...{ method: 'POST', url: '/api/auth/login', payload: { email, password: PASSWORD } },
      headers: { 'accept-language': language },
    })
    expect(statusCode).toBe(200)
    const params = { id }
    await admin.must('POST /api/customers/{id}/suspend', { params, body: { reasonCode: 'terms' } })
    await admin.must('DELETE /api/customers/{id}/suspension', { params, query: {} })
    expect((await mailTo(lodge, email, 'account_suspended')).subject).toMatch(subject)
    const told = await inbox(await lodge.session(id, email))
    expect(told.find(({ type }) => type === 'account.suspended')).toMatchObject({ title })
  }
})

test('custom wording of the host is sent to everybody unchanged', async () => {
  const german = await person()
  await speak(german, 'de')
  const params = { template: 'password_changed' }
  const { builtIn } = await admin.must('PUT /api/email/templates/{template}', {
    params,
    body: { subject: 'Own words', body: 'A password was changed.' },
  })
  await changePassword(german)
  expect((await mailTo(lodge, german.email, 'password_changed')).subject).toBe('Own words')
  await admin.must('PUT /api/email/templates/{template}', { params, body: builtIn })
  await changePassword(german)
  expect((await mailTo(lodge, german.email, 'password_changed')).subject).toBe(
    'Ihr Passwort wurde geändert',
  )
})
