import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectScreen } from '../support/visit.ts'

const EMAIL = 'ada@example.com'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
let customerId = ''
let serverId = ''

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  const body = { email: EMAIL, name: 'Ada', password: PASSWORD }
  customerId = (await admin.must('POST /api/customers', { body })).id
  const { id: templateId } = await lodge.template()
  const { id: nodeId } = await lodge.node()
  serverId = await lodge.server({ name: 'Under the hill', ownerId: customerId, templateId, nodeId })
  browser = await openBrowser(lodge.origin)
  page = browser.page
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const banner = (on: Page) => on.getByRole('region', { name: 'Viewing as a customer' })

/** Views as the customer, from the administrator's own panel. */
async function begin(): Promise<void> {
  await page.goto(`/admin/customers/${customerId}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'View as customer…' }).click()
  const dialog = page.getByRole('dialog', { name: `View as ${EMAIL}` })
  await dialog.getByRole('button', { name: 'View as customer' }).click()
  await heading('Servers').waitFor()
}

async function stop(): Promise<void> {
  await banner(page).getByRole('button', { name: 'Stop viewing' }).click()
  await heading(EMAIL).waitFor()
}

test('an administrator views as a customer, with a banner on every page, and returns without signing in', async () => {
  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/customers/${customerId}`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'View as customer…' }).click()
  const dialog = page.getByRole('dialog', { name: `View as ${EMAIL}` })
  await dialog.waitFor()
  await picture(page, 'view-as')
  await dialog.getByRole('button', { name: 'View as customer' }).click()
  await heading('Servers').waitFor()
  await page.getByRole('link', { name: 'Under the hill' }).waitFor()
  expect(await page.getByRole('link', { name: 'Customers' }).count()).toBe(0)

  for (const [name, path] of [
    ['viewing-servers', '/servers'],
    ['viewing-server', `/servers/${serverId}/settings`],
    ['viewing-jobs', '/jobs'],
    ['viewing-account', '/account'],
    ['viewing-security', '/account/security'],
    ['viewing-notifications', '/notifications'],
  ] as const) {
    await expectScreen(browser, name, path)
    await banner(page).getByText(EMAIL).waitFor()
  }
  await page.goto(`/windows/console/${serverId}`)
  await banner(page).getByText(EMAIL).waitFor()
  await page.getByText('Consoles are off').first().waitFor()
  await expectAccessible(page)
  await picture(page, 'viewing-console')

  await stop()
  expect(await banner(page).count()).toBe(0)
  await page.getByRole('link', { name: 'Customers' }).first().waitFor()
})

test('a change is refused with a remedy, and nothing is changed', async () => {
  await beOn(browser, lodge.origin, admin)
  await begin()
  await page.goto('/account')
  await page.getByLabel('Name', { exact: true }).fill('Somebody else')
  await page.getByRole('button', { name: /^Save/ }).first().click()
  await page.getByText('Stop viewing to act as yourself').first().waitFor()
  await picture(page, 'viewing-refused')
  const person = await lodge.session(customerId, EMAIL)
  expect(await person.must('GET /api/auth/me')).toMatchObject({ name: 'Ada', viewing: null })
  await stop()
})

test('another tab follows when viewing begins and when it ends', async () => {
  await beOn(browser, lodge.origin, admin)
  const other = await browser.context.newPage()
  await other.goto('/admin/team')
  await other.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
  await begin()
  await banner(other).waitFor()
  await other.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  await stop()
  await banner(other).waitFor({ state: 'detached' })
  await other.close()
})

test('the customer sees when support viewed the account, but not who did', async () => {
  const person = await lodge.session(customerId, EMAIL)
  await beOn(browser, lodge.origin, person)
  await expectScreen(browser, 'viewed-security', '/account/security')
  const views = page.getByRole('table', { name: 'Viewed by support' })
  await views.getByText('Viewed by support').first().waitFor()
  expect(await page.getByText(admin.email).count()).toBe(0)
  expect(browser.faults).toEqual([])
})
