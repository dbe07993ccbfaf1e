import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type JoinedNode, type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

const NEW_PASSWORD = 'a quiet evening at the lake'

let lodge: Lodge
let admin: Caller
let node: JoinedNode
let browser: Browser
let page: Page

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  node = await lodge.node()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

beforeEach(() => lodge.database.pool.query('truncate rate_limits'))

const button = (name: string | RegExp) => page.getByRole('button', { name })
const heading = (name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true })
const field = (label: string) => page.getByLabel(label, { exact: true })
const address = () => `person-${randomUUID().slice(0, 8)}@example.com`

async function person(): Promise<Caller> {
  const email = address()
  const { id } = await admin.must('POST /api/customers', { body: { email, password: PASSWORD } })
  return lodge.session(id, email)
}

/** Copies the link in the dialog, and opens it as its recipient, in a browser without a session. */
async function passOn(email: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Copy this link' })
  await dialog.getByText('No mail was sent').waitFor()
  await dialog.getByText(email).first().waitFor()
  await expectAccessible(page)
  const link = (await dialog.getByLabel(`Link for ${email}`).textContent()) ?? ''
  expect(link).toMatch(new RegExp(`^${lodge.origin}/\\S+#token=\\S+$`))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await beOn(browser, lodge.origin)
  await page.goto('about:blank')
  await page.goto(link.trim())
}

async function choosePassword(): Promise<void> {
  await field('Password').fill(NEW_PASSWORD)
  await button('Set password').click()
}

/** For each kind of link: who triggers it in the panel, and which page it opens for its recipient. */
const KINDS: Readonly<Record<string, () => Promise<void>>> = {
  'an account that is made without a password': async () => {
    const email = address()
    await beOn(browser, lodge.origin, admin)
    await page.goto('/admin/customers/new')
    await field('E-mail').fill(email)
    await button('Create customer').click()
    await passOn(email)
    await choosePassword()
    await heading('Servers').waitFor()
  },
  'a new password of a customer': async () => {
    const { id, email } = await person()
    await beOn(browser, lodge.origin, admin)
    await page.goto(`/admin/customers/${id}`)
    await button(/^Actions for/).click()
    await page.getByRole('menuitem', { name: 'Send password link…' }).click()
    await button('Send link').click()
    await passOn(email)
    await choosePassword()
    await heading('Servers').waitFor()
  },
  'the address of somebody who signed up': async () => {
    const { captcha, terms } = await admin.must('GET /api/settings/signup')
    const { provider, siteKey } = captcha
    await admin.must('PUT /api/settings/signup', {
      body: { mode: 'open', captcha: { provider, siteKey }, terms },
    })
    const email = address()
    const body = { email, password: PASSWORD }
    await lodge.anonymous().must('POST /api/auth/register', { body })
    const found = await until(async () => {
      const { items } = await admin.must('GET /api/signup/pending', { query: {} })
      return items.find((one) => one.email === email)
    })
    await beOn(browser, lodge.origin, admin)
    await page.goto(`/admin/customers/${found?.id}`)
    await button(`Resend confirmation to ${email}`).click()
    await passOn(email)
    await button('Confirm address').click()
    await heading('Address confirmed').waitFor()
  },
  'an administrator': async () => {
    const email = address()
    await beOn(browser, lodge.origin, admin)
    await page.goto('/admin/team')
    await button('Invite administrator').click()
    await field('E-mail').fill(email)
    await button('Send invitation').click()
    await passOn(email)
    await choosePassword()
    await heading('Set up a second factor').waitFor()
  },
  'a server that an administrator shares with somebody new': async () => {
    const owner = await person()
    const email = address()
    const { id: templateId } = await lodge.template()
    const given = { templateId, nodeId: node.id, start: false, name: 'Under the hill' }
    const id = await lodge.server({ ...given, ownerId: owner.id })
    await beOn(browser, lodge.origin, admin)
    await page.goto(`/servers/${id}/access`)
    await button(/Invite somebody|Share/)
      .first()
      .click()
    await field('E-mail').fill(email)
    await button('Send invitation').click()
    await passOn(email)
    await field('Password').fill(NEW_PASSWORD)
    await button('Create account and accept').click()
    await heading('Under the hill').waitFor()
  },
}

test.each(Object.entries(KINDS))(
  'without a mail server the link for %s is shown to copy, and works',
  async (_, walk) => {
    await walk()
  },
)

test('a link is shown even if its dialog does not load', async () => {
  const { id, email } = await person()
  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/customers/${id}`)
  await button(/^Actions for/).click()
  await page.route('**/assets/link-dialog*', (route) => route.abort())
  await page.getByRole('menuitem', { name: 'Send password link…' }).click()
  await button('Send link').click()
  const told = page.getByRole('alert').filter({ hasText: `Link for ${email}` })
  await told.getByText(`${lodge.origin}/`).waitFor()
  expect(await told.textContent()).toMatch(/#token=\S+/)
  await page.unroute('**/assets/link-dialog*')
})
