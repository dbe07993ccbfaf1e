import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWeb } from '../../../tools/web-build.mjs'
import { freePort } from '../../support/processes.ts'
import { type Lodge, PASSWORD, startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { beOn, expectScreen } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let customerId = ''
let plan = ''

beforeAll(async () => {
  buildWeb()
  const port = String(await freePort())
  lodge = await startLodge({
    environment: { LODGE_PORT: port, WEB_ORIGIN: `http://localhost:${port}` },
  })
  customerId = await fill()
  browser = await openBrowser(lodge.origin)
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** Content for every page: people in every state, limits, mail, notifications. */
async function fill(): Promise<string> {
  const admin = await lodge.admin()
  const settings = await admin.must('GET /api/settings/signup')
  const { provider, siteKey } = settings.captcha
  const terms = { required: true, termsUrl: 'https://example.com/terms', privacyUrl: null }
  await admin.must('PUT /api/settings/signup', {
    body: { mode: 'approval', captcha: { provider, siteKey }, terms },
  })
  await admin.must('PUT /api/limits/defaults', { body: { maxServers: 3, maxMemoryMb: 8192 } })
  const { id } = await admin.must('POST /api/customers', {
    body: { email: 'ada@example.com', name: 'Ada', password: PASSWORD },
  })
  await admin.must('PATCH /api/customers/{id}', {
    params: { id },
    body: { quota: { maxServers: 10, allowedLocations: ['Here'], mayShare: false } },
  })
  for (const email of ['first@example.com', 'second@example.com'])
    await lodge.anonymous().must('POST /api/auth/register', {
      body: { email, password: PASSWORD, acceptTerms: true },
    })
  const [first] = await until(async () => {
    const { items } = await admin.must('GET /api/signup/pending')
    return items.length === 2 && items
  })
  await admin.must('POST /api/customers/{id}/mark-verified', { params: { id: first?.id ?? '' } })
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      name: 'Starter',
      kind: 'account',
      description: 'One small server, to see how it is',
      limits: { maxServers: 1, maxMemoryMb: 2048, maxDiskMb: 10_240, mayCreateServers: true },
    },
  })
  const archived = await admin.must('POST /api/plans', { body: { name: '2025', kind: 'account' } })
  await admin.must('POST /api/plans/{id}/archive', { params: { id: archived.id } })
  plan = planId
  await admin.must('POST /api/signup/invites', {
    body: { note: 'For the fair', maxUses: 50, planId },
  })
  await admin.must('POST /api/team', {
    body: { email: 'support@example.com', permissions: ['servers.view'] },
  })
  await admin.must('POST /api/tokens', { body: { name: 'billing', scopes: ['read'] } })
  return id
}

test('every page for people who are not signed in is readable, light on a desktop and dark on a phone', async () => {
  await beOn(browser, lodge.origin)
  for (const [name, path] of [
    ['sign-in', '/login'],
    ['sign-up', '/signup'],
    ['verify', '/verify#token=unknown'],
    ['forgot', '/forgot'],
    ['recover', '/recover'],
    ['accept', '/accept#token=unknown'],
    ['join', '/join#token=unknown'],
    ['confirm-email', '/confirm-email'],
  ] as const)
    await expectScreen(browser, `public-${name}`, path)
})

test('every page about people is readable for an administrator, light on a desktop and dark on a phone', {
  timeout: 300_000,
}, async () => {
  await beOn(browser, lodge.origin, await lodge.admin())
  for (const [name, path] of [
    ['customers', '/admin/customers'],
    ['customer', `/admin/customers/${customerId}`],
    ['customer-servers', `/admin/customers/${customerId}/servers`],
    ['customer-limits', `/admin/customers/${customerId}/limits`],
    ['customer-notes', `/admin/customers/${customerId}/notes`],
    ['customer-sign-ins', `/admin/customers/${customerId}/sign-ins`],
    ['customer-activity', `/admin/customers/${customerId}/activity`],
    ['pending', '/admin/pending'],
    ['invites', '/admin/invites'],
    ['plans', '/admin/plans'],
    ['new-plan', '/admin/plans/new'],
    ['plan', `/admin/plans/${plan}`],
    ['team', '/admin/team'],
    ['tokens', '/admin/tokens'],
    ['outbox', '/admin/email'],
    ['mail-templates', '/admin/email/templates'],
    ['mail-template', '/admin/email/templates/invitation'],
    ['audit', '/admin/audit'],
    ['settings', '/admin/settings'],
    ['settings-security', '/admin/settings/security'],
    ['settings-self-service', '/admin/settings/self-service'],
    ['settings-limits', '/admin/settings/limits'],
    ['settings-mail', '/admin/settings/mail'],
    ['settings-environment', '/admin/settings/environment'],
    ['notifications', '/notifications'],
    ['transfer', '/team/transfer#token=unknown'],
    ['second-factor', '/second-factor'],
  ] as const)
    await expectScreen(browser, `people-${name}`, path)
})

/** Whether an element is in the visible part of the window. */
const inView = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

test('a setting is found by a synonym and focused, by keyboard alone, typed or pasted', async () => {
  await beOn(browser, lodge.origin, await lodge.admin())
  const { page } = browser
  await page.goto('/admin/settings')
  const search = page.getByRole('combobox', { name: 'Find a setting' })
  const jump = async (
    words: string,
    offered: string,
    focused: Locator,
    pasted = false,
  ): Promise<void> => {
    await search.focus()
    await (pasted ? page.keyboard.insertText(words) : page.keyboard.type(words))
    await page.getByRole('option', { name: offered }).first().waitFor()
    await expectAccessible(page)
    await picture(page, `settings-search-${words.replaceAll(' ', '-')}`)
    await page.keyboard.press('Enter')
    await page.locator(':focus').and(focused).waitFor()
    await expect.poll(() => inView(focused)).toBe(true)
    await picture(page, `settings-found-${words.replaceAll(' ', '-')}`)
  }
  await jump('smtp', 'Host', page.getByLabel('Host', { exact: true }))
  expect(new URL(page.url()).pathname).toBe('/admin/settings/mail')
  // Signing is off, so the search leads to the switch that enables it.
  await jump('private key', 'Private key (PEM)', page.getByLabel('Sign mail'))
  await jump(
    'share servers',
    'Share servers',
    page.getByRole('combobox', { name: 'Share servers, set here' }),
    true,
  )
  await jump('approval', 'Who may sign up', page.getByRole('radio', { name: 'With approval' }))
  expect(new URL(page.url()).pathname).toBe('/admin/settings')
  expect(browser.faults).toEqual([])
})

test('the account is readable for a customer, light on a desktop and dark on a phone', async () => {
  await beOn(browser, lodge.origin, await lodge.session(customerId))
  for (const [name, path] of [
    ['profile', '/account'],
    ['security', '/account/security'],
    ['limits', '/account/limits'],
  ] as const)
    await expectScreen(browser, `account-${name}`, path)
})
