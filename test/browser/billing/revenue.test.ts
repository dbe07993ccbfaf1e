import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ImportHistory } from '../../../control-plane/src/domains/billing/imports/history-store.ts'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, admin)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const [DESK, PHONE] = [
  { width: 1280, height: 844 },
  { width: 390, height: 844 },
]
const sold = async (name: string, price: object) =>
  (
    await admin.must('POST /api/plans', {
      body: { name, kind: 'account', visibility: 'public', prices: [price as never] },
    })
  ).id

/** Somebody who pays for a plan. */
async function subscribe(planId: string, cycle: 'monthly' | 'yearly'): Promise<string> {
  const { id, email } = await lodge.customer()
  const person = await lodge.session(id, email)
  const { id: subscription, invoice } = await person.must('POST /api/store/checkout', {
    body: { planId, cycle },
  })
  await admin.must('POST /api/billing/invoices/{id}/mark-paid', {
    params: { id: invoice?.id ?? '' },
    body: { amount: invoice?.amountDue ?? 0 },
  })
  return subscription
}

/** Moves everything that has happened so far this many months into the past. */
const months = async (back: number): Promise<void> => {
  for (const [table, columns] of [
    ['revenue_entries', ['at']],
    ['invoices', ['issued_at', 'due_at', 'paid_at']],
    ['invoice_payments', ['received_at']],
  ] as const)
    await lodge.database.pool.query(
      `update ${table} set ${columns.map((one) => `${one} = ${one} - make_interval(months => $1)`)}`,
      [back],
    )
}

test('the host sees the monthly revenue, its changes and its prices, and saves them as CSV', async () => {
  await page.setViewportSize(DESK)
  await page.goto('/admin/subscribers')
  await page.getByRole('link', { name: 'Revenue' }).click()
  await page.getByText('No revenue yet').waitFor()

  const small = await sold('Small', { cycle: 'monthly', amount: 1000, currency: 'EUR' })
  const large = await sold('Large', { cycle: 'yearly', amount: 30_000, currency: 'EUR' })
  const dollars = await sold('Overseas', { cycle: 'monthly', amount: 1500, currency: 'USD' })
  const first = await subscribe(small, 'monthly')
  await months(2)
  await subscribe(small, 'monthly')
  await subscribe(large, 'yearly')
  await months(1)
  await subscribe(dollars, 'monthly')
  await admin.must('POST /api/billing/subscriptions/{id}/cancel-now', { params: { id: first } })

  await page.reload()
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row')
  await expect.poll(() => rows('Recurring revenue').count()).toBe(13)
  const shown = (at: number) =>
    rows('Recurring revenue')
      .nth(at)
      .locator('td, th')
      .allTextContents()
      .then((cells) => cells.slice(1))
  expect(await shown(1)).toEqual([
    ...['45.00', '0.00', '0.00', '0.00', '0.00', '10.00', '35.00', '2', '33.33%'],
  ])
  expect(await shown(2)).toEqual([
    ...['10.00', '35.00', '0.00', '0.00', '0.00', '0.00', '45.00', '3', '0%'],
  ])
  await expect.poll(() => rows('Plans and prices').count()).toBe(3)
  expect(await rows('Plans and prices').nth(1).textContent()).toContain('€300.00 yearly')
  await picture(page, 'revenue')
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  await page.setViewportSize(DESK)

  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).last().click()
  const [head, ...lines] = (await readFile(await (await file).path(), 'utf8')).trim().split('\r\n')
  expect(head).toMatch(/^currency,plan_id,plan,price_id/)
  expect(lines.map((line) => line.split(',')[2])).toEqual(['Large', 'Small'])

  await page.getByText('USD', { exact: true }).click()
  await page.getByText('$15.00', { exact: true }).first().waitFor()
  await page.getByText('12 weeks', { exact: true }).click()
  await page.getByRole('columnheader', { name: 'Week' }).first().waitFor()
  expect(new URL(page.url()).search).toBe('?range=12w&currency=USD')
  expect(browser.faults).toEqual([])
})

test('a plan shows the subscribers of each price, also of one that is no longer sold', async () => {
  const { items } = await admin.must('GET /api/plans')
  const small = items.find(({ name }) => name === 'Small')
  const params = { id: small?.id ?? '' }
  const prices = [{ cycle: 'monthly', amount: 1200, currency: 'EUR' }] as const
  await admin.must('PUT /api/plans/{id}/prices', { params, body: { prices: [...prices] } })
  await subscribe(params.id, 'monthly')
  await page.goto(`/admin/plans/${params.id}`)
  await page.getByText('1 subscriber keeps a former price.').waitFor()
  const rows = page.getByRole('table', { name: 'Subscribers by price' }).getByRole('row')
  await expect.poll(() => rows.allTextContents()).toHaveLength(3)
  expect((await rows.allTextContents()).slice(1)).toEqual([
    '€12.00 monthlyCurrent1',
    '€10.00 monthlyFormer1',
  ])
  await rows.last().scrollIntoViewIfNeeded()
  await picture(page, 'plan-prices')
  await expectAccessible(page)
  expect(browser.faults).toEqual([])
})

test('months belong to the time zone that the billing settings name', async () => {
  await page.goto('/admin/invoices')
  await page.getByRole('button', { name: 'Billing settings' }).click()
  const zone = page.getByLabel('Time zone', { exact: true })
  await zone.fill('Atlantis')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText(/is not a time zone/).waitFor()
  await zone.fill('Europe/Berlin')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto('/admin/revenue')
  await page.getByText(/^Days of Europe\/Berlin/).waitFor()
  expect(browser.faults).toEqual([])
})

test('imports and dry runs are shown with the results of their records, and why some were skipped', async () => {
  await page.setViewportSize(DESK)
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('whmcs')
  await page.getByRole('option', { name: 'Imports' }).click()
  await page.getByText('No imports yet').waitFor()
  const { db } = lodge.controlPlane.services
  const begin = (origin: string, isDryRun: boolean) =>
    ImportHistory.begin(db, {
      ...{ panel: 'whmcs', origin, isDryRun, invites: false, startedAt: new Date() },
    })
  const look = await begin('shop-1', true)
  for (const note of ['', '', 'its account is closed', 'it has the same e-mail address as 7'])
    look.tally.add({
      ...{ kind: 'customer', sourceId: '1', about: '', note, targetId: null },
      result: note === '' ? 'new' : 'skipped',
    })
  await look.end(null)
  await (await begin('shop-2', false)).end('There is no file or folder whmcs.sql')
  await begin('shop-3', false)
  await page.reload()
  const rows = page.getByRole('table', { name: 'Imports' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(4)
  expect(await rows.allTextContents()).toEqual([
    expect.stringContaining('Installation'),
    expect.stringMatching(/WHMCS.*shop-3.*Import.*Running/),
    expect.stringMatching(/WHMCS.*shop-2.*Import.*Failed/),
    expect.stringMatching(/WHMCS.*shop-1.*Dry run.*Done.*22$/),
  ])
  await picture(page, 'imports')
  await expectAccessible(page)
  await rows.nth(3).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('it has the same e-mail address as another').waitFor()
  await picture(page, 'import')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await rows.nth(2).getByRole('button').click()
  await dialog.getByText('There is no file or folder whmcs.sql').waitFor()
  await picture(page, 'import-failed')
  expect(browser.faults).toEqual([])
})

test('a person without permission to view billing finds no revenue', async () => {
  const other = await lodge.limitedAdmin(['plans.view'])
  await beOn(browser, lodge.origin, other)
  expect((await other.call('GET /api/billing/revenue', { query: {} })).status).toBe(403)
  await page.goto('/admin/plans')
  await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').or(page.getByRole('textbox')).last().fill('revenue')
  await expect.poll(() => page.getByRole('option', { name: 'Revenue' }).count()).toBe(0)
})
