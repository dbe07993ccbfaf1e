import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verdictOf } from '../../../control-plane/src/domains/signup/captcha.ts'
import { CaptchaProvider } from '../../support/captcha-provider.ts'
import { mailTo } from '../../support/mailbox.ts'
import { type Lodge, ORIGIN, PASSWORD, startLodge } from '../../support/stack.ts'

const PANEL = new URL(ORIGIN).hostname

describe.each(['turnstile', 'hcaptcha'] as const)('sign-up behind %s', (kind) => {
  let provider: CaptchaProvider
  let folder: string
  let lodge: Lodge
  let count = 0
  beforeAll(async () => {
    provider = await CaptchaProvider.start(kind)
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-captcha-'))
    const caFile = path.join(folder, 'ca.pem')
    await writeFile(caFile, provider.authority)
    lodge = await startLodge({
      environment: {
        LODGE_CAPTCHA_URL: provider.url,
        LODGE_EGRESS_HOSTS: provider.host,
        LODGE_EGRESS_CA: caFile,
      },
    })
    await setUp(provider.secret)
  })
  beforeEach(async () => {
    provider.broken = undefined
    provider.asked.length = 0
    await lodge.database.pool.query('truncate rate_limits')
  })
  afterAll(async () => {
    await lodge?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const setUp = async (secret: string) =>
    (await lodge.admin()).must('PUT /api/settings/signup', {
      body: {
        mode: 'open',
        captcha: { provider: kind, siteKey: provider.siteKey, secret },
        terms: { required: false, termsUrl: null, privacyUrl: null },
      },
    })
  const register = (captcha: string, email = `${kind}-${++count}@example.com`) =>
    lodge.anonymous({ address: '203.0.113.9' }).call('POST /api/auth/register', {
      body: { email, password: PASSWORD, captcha },
    })
  const refusedWith = async (captcha: string, words: RegExp) =>
    expect(await register(captcha)).toMatchObject({
      status: 400,
      body: { code: 'captcha_failed', detail: expect.stringMatching(words) },
    })

  test('accepts a puzzle solved on this panel, and sends the provider what it requires', async () => {
    const email = `solved-${kind}@example.com`
    const response = provider.issue(PANEL)
    expect((await register(response, email)).status).toBe(200)
    await mailTo(lodge, email, 'verify_email')
    expect(provider.asked.map((form) => Object.fromEntries(form))).toEqual([
      {
        secret: provider.secret,
        response,
        remoteip: '203.0.113.9',
        ...(kind === 'hcaptcha' && { sitekey: provider.siteKey }),
      },
    ])
  })

  test('accepts each response once, and none that is too old', async () => {
    const response = provider.issue(PANEL)
    expect((await register(response)).status).toBe(200)
    await refusedWith(response, /used before or is too old/)
    await refusedWith(provider.issue(PANEL, 600_000), /used before or is too old/)
  })

  test('accepts none that was made up, and none that was solved on another site', async () => {
    await refusedWith('made up', /not solved/)
    await refusedWith(provider.issue('elsewhere.example'), /another site/)
  })

  test('reports a wrong configuration when the provider does not know the secret', async () => {
    await setUp('another secret')
    await refusedWith(provider.issue(PANEL), /tell your host/)
    await setUp(provider.secret)
  })

  test('lets nobody in while the provider responds late, wrongly or not at all', async () => {
    const away = /cannot be reached: try again/
    const answers: ((response: Parameters<NonNullable<CaptchaProvider['broken']>>[0]) => void)[] = [
      () => undefined,
      (response) => void response.destroy(),
      (response) => void response.end('<html>Welcome</html>'),
      (response) => void response.end('{"success":"true"}'),
      (response) => void response.end('{"success":true'),
      (response) => void response.writeHead(502).end('{"success":true}'),
      (response) => void response.writeHead(302, { location: '/other' }).end(),
      (response) => void response.end(JSON.stringify({ success: true, pad: 'x'.repeat(300_000) })),
      (response) => void response.end('{"success":false,"error-codes":["internal-error"]}'),
    ]
    for (const broken of answers) {
      await lodge.database.pool.query('truncate rate_limits')
      provider.broken = broken
      await refusedWith(provider.issue(PANEL), away)
    }
    provider.broken = undefined
    expect((await register(provider.issue(PANEL))).status).toBe(200)
  })
})

test("a host name missing from hCaptcha's response is no reason to refuse", async () => {
  await using provider = await CaptchaProvider.start('hcaptcha')
  const fields = { secret: provider.secret, response: provider.issue('not-provided') }
  const egress = { allowedHosts: [provider.host], authorities: [provider.authority] }
  expect(await verdictOf(provider.url, fields, PANEL, egress)).toMatchObject({ failure: undefined })
})

test('a provider whose certificate comes from an unknown authority is not trusted', async () => {
  await using provider = await CaptchaProvider.start('turnstile')
  const fields = { secret: provider.secret, response: provider.issue(PANEL) }
  const egress = { allowedHosts: [provider.host] }
  await expect(verdictOf(provider.url, fields, PANEL, egress)).rejects.toThrow(/certificate/)
  expect(provider.asked).toEqual([])
})
