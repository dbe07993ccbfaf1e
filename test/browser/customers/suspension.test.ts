import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, expectScreen } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let customer: Caller
let browser: Browser
let page: Page

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  customer = await lodge.customer()
  const { id: templateId } = await lodge.template()
  const { id: nodeId } = await lodge.node()
  await lodge.server({ name: 'Survival', ownerId: customer.id, templateId, nodeId, start: false })
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const be = (person: Caller) => beOn(browser, lodge.origin, person)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

test('staff suspend a customer, who appeals with a file; both write, and granting lets them in again', async () => {
  await be(admin)
  const tab = `/admin/customers/${customer.id}/suspension`
  await expectScreen(browser, 'suspension-none', tab)
  await page.setViewportSize({ width: 1280, height: 844 })
  await button('Suspend customer').click()
  await dialog().getByLabel('Template').click()
  await page.getByRole('option', { name: 'Abuse' }).click()
  await dialog().getByLabel('Allow downloading files and backups').check()
  await dialog().getByLabel('Internal note').fill('Attacks from Survival')
  await expectReadableInTurn(browser, 'suspension-dialog')
  await page.setViewportSize({ width: 1280, height: 844 })
  await dialog().getByRole('button', { name: 'Suspend customer' }).click()
  await page.getByText('Attacks from Survival').waitFor()
  await page.getByText('The customer has not appealed.').waitFor()

  await be(customer)
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Your account is suspended' }).waitFor()
  await page.getByText('were used for abuse').waitFor()
  await page.getByRole('link', { name: 'All files' }).waitFor()
  await page.getByLabel('Attach files').setInputFiles({
    name: 'log.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('The attack came from an add-on'),
  })
  await button('Remove log.txt').waitFor()
  await page
    .getByLabel('Appeal', { exact: true })
    .last()
    .fill('An add-on was to blame, I removed it.')
  await button('Send appeal').click()
  await page.getByRole('link', { name: 'log.txt' }).waitFor()
  await expectReadableInTurn(browser, 'suspended-appeal')
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.getByRole('link', { name: 'Open support tickets' }).click()
  await page.getByRole('heading', { level: 1, name: 'Support', exact: true }).waitFor()
  await expectReadableInTurn(browser, 'suspended-tickets')
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Your account is suspended' }).waitFor()
  await page.goto('/support/new')
  await page.getByLabel('Subject').fill('Which servers may run again?')
  // The page stands without the panel, and so without its rules about the logo.
  expect((await page.locator('header svg').first().boundingBox())?.width).toBe(24)
  await page.getByRole('link', { name: 'Back to the suspension' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your account is suspended' }).waitFor()
  await page.goto('/account')
  await page.getByRole('heading', { level: 1, name: 'Your account is suspended' }).waitFor()

  await be(admin)
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.goto('/admin')
  await page.getByRole('link', { name: /^Open appeal/ }).click()
  await page.getByText('An add-on was to blame').waitFor()
  await expectReadableInTurn(browser, 'suspension-appeal')
  await page.setViewportSize({ width: 1280, height: 844 })
  await page.getByLabel('Answer', { exact: true }).fill('Thank you for cleaning up.')
  await page.getByText('Grant and lift').click()
  await button('Send answer').click()
  await page.getByText('Not suspended').waitFor()
  await page.getByText('Abuse', { exact: true }).click()
  await page.getByText('Thank you for cleaning up.').waitFor()

  await be(customer)
  await page.goto('/servers')
  await page.getByRole('link', { name: 'Survival' }).first().waitFor()
  expect(browser.faults).toEqual([])
})

test('the settings contain the defaults and the templates of reasons', async () => {
  await be(admin)
  await expectScreen(browser, 'settings-suspension', '/admin/settings/suspension')
  await page.setViewportSize({ width: 1280, height: 844 })
  await button('Add template').click()
  await page.getByLabel('Name', { exact: true }).last().fill('Mining')
  await page.getByLabel('Text for the customer').last().fill('Mining is not allowed')
  await button('Save settings').click()
  await expect
    .poll(async () => (await admin.must('GET /api/support/suspension-settings')).templates.at(-1))
    .toMatchObject({ name: 'Mining', reasonCode: 'other' })
})
