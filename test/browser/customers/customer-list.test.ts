import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { csvLines } from '../support/downloads.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

const PEOPLE = 60

let lodge: Lodge
let browser: Browser
let page: Page
let admin: Caller

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  await lodge.database.pool.query(
    `insert into users (id, email, name, role, state, preferences)
     select uuidv7(), 'person-' || lpad(n::text, 2, '0') || '@' || (array['example.com', 'example.org'])[1 + n % 2],
       (array['Ann Lee', 'Bob', null, '=1+1'])[1 + n % 4], 'customer',
       (array['active', 'suspended', 'pending'])[1 + n % 3], '{"mode":null}'
     from generate_series(1, ${PEOPLE}) n`,
  )
  for (const name of ['Starter', 'Team'])
    await admin.must('POST /api/plans', {
      body: { name, kind: 'account', limits: { maxServers: name === 'Team' ? 9 : 1 } },
    })
  await admin.must('POST /api/tokens', { body: { name: 'billing', scopes: ['read'] } })
  await admin.must('POST /api/tokens', { body: { name: 'shop', scopes: ['read', 'provision'] } })
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, admin)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const search = () => new URL(page.url()).searchParams
const box = (label = 'Search customers') => page.getByRole('searchbox', { name: label })
const names = () => page.locator('tbody [data-row] [data-opens]').allInnerTexts()
const heads = async () =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
const open = async (address: string, table = 'Customers'): Promise<void> => {
  await page.goto(address)
  await page.getByRole('table', { name: table }).waitFor()
}
test('customers are filtered by text and by chip, which write the same filter', async () => {
  await open('/admin/customers')
  await picture(page, 'customers-list')
  await page.getByRole('button', { name: 'Suspended' }).click()
  await expect.poll(() => search().get('q')).toBe('state:suspended')
  await expect.poll(async () => (await names()).length).toBe(PEOPLE / 3)
  await box().fill('state:suspended email:*@example.org')
  await page.getByRole('button', { name: 'E-mail: *@example.org', pressed: true }).waitFor()
  await expect.poll(async () => (await names()).length).toBe(PEOPLE / 6)
  await page.reload()
  await expect.poll(async () => (await names()).length).toBe(PEOPLE / 6)
  await expectAccessible(page)
  await picture(page, 'customers-filtered')
  await box().fill('nobody of this name')
  await page.getByText('No customers match “nobody of this name”').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(async () => (await names()).length).toBe(50)
})

test('the order of customers is kept on reload and covers all pages', async () => {
  await open('/admin/customers')
  await page.getByRole('button', { name: 'Customer since' }).click()
  await expect.poll(() => search().get('sort')).toBe('-created')
  await expect.poll(async () => (await names())[0]).toBe(`person-${PEOPLE}@example.com`)
  await page.reload()
  await expect.poll(async () => (await names())[0]).toBe(`person-${PEOPLE}@example.com`)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(async () => (await names()).length).toBe(PEOPLE - 50)
})

test('a hidden column stays hidden for that person only', { tags: 'long' }, async () => {
  await open('/admin/customers')
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  const saved = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('"customers"')),
  )
  await columns.getByRole('checkbox', { name: 'Servers' }).uncheck()
  await columns.getByRole('checkbox', { name: 'Name', exact: true }).check()
  await picture(page, 'customers-columns')
  await saved
  const arranged = ['Customer', 'Name', 'State', 'Customer since']
  await open('/admin/customers')
  expect(await heads()).toEqual(arranged)
  const other = await lodge.limitedAdmin(['customers.view'])
  await beOn(browser, lodge.origin, other)
  await open('/admin/customers')
  expect(await heads()).toEqual(['Customer', 'State', 'Servers', 'Customer since'])
  // Without permission to change customers there is no reason to select them.
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await beOn(browser, lodge.origin, admin)
  await open('/admin/customers')
  expect(await heads()).toEqual(arranged)
})

test('a view of customers is saved under a name and opened again', { tags: 'long' }, async () => {
  await open('/admin/customers?q=state:pending&sort=-email')
  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Views' })
  await views.getByRole('textbox', { name: 'Name of this view' }).fill('To approve')
  await views.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'To approve' }).waitFor()
  // Preferences of the account are sent a moment later.
  await until(async () =>
    JSON.stringify(await admin.must('GET /api/auth/me')).includes('To approve'),
  )
  await open('/admin/customers')
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: 'To approve', exact: true }).click()
  await expect.poll(() => search().get('q')).toBe('state:pending')
  expect(search().get('sort')).toBe('-email')
})

test('CSV has every customer of the filter, not only the page, and no formula', async () => {
  await open('/admin/customers')
  const all = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(all).toHaveLength(PEOPLE + 1)
  expect(all[0]).toBe('id,email,name,state,servers,created_at')
  expect(all.filter((line) => line.includes(",'=1+1,"))).toHaveLength(PEOPLE / 4)
  await open('/admin/customers?q=state:suspended')
  const some = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(some).toHaveLength(PEOPLE / 3 + 1)
})

test('selected customers are approved together, with a result for each', async () => {
  await open('/admin/customers?q=state:pending,active&sort=email')
  const [first, second, third] = await names()
  const states = await page.locator('tbody [data-row]').allInnerTexts()
  const waiting = states.slice(0, 3).filter((text) => text.includes('Waiting')).length
  for (const email of [first, second, third])
    await page.getByRole('checkbox', { name: `Select ${email}`, exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selected customers' })
  await bar.getByText('3 customers selected').waitFor()
  await bar.getByRole('button', { name: 'Approve' }).click()
  await bar.getByText(`${waiting} of 3 approved, ${3 - waiting} refused`).waitFor()
  await bar.getByText('This account is not waiting for approval').first().waitFor()
  await expectAccessible(page)
  await picture(page, 'customers-selection')
})

test('a customer beyond the fifty that a field lists is given a plan, which is suspended and lifted', async () => {
  const email = 'person-57@example.org'
  await page.goto('/admin/subscribers')
  await page.getByRole('button', { name: 'Give a plan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give a customer a plan' })
  await dialog.getByRole('combobox', { name: 'Plan' }).click()
  await page.getByRole('option', { name: 'Team' }).click()
  await dialog.getByRole('combobox', { name: 'Customer' }).fill(email)
  await page.getByRole('option', { name: email }).click()
  await picture(page, 'assign-plan')
  await dialog.getByRole('button', { name: 'Give plan' }).click()
  await page.getByText('Team was given').waitFor()
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByText('Active').waitFor()

  const choose = async (entry: string): Promise<void> => {
    await row.getByRole('button', { name: `Actions for ${email}` }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await choose('Suspend…')
  const suspend = page.getByRole('dialog', { name: `Suspend “Team” of ${email}?` })
  await suspend.getByRole('textbox', { name: 'Reason' }).fill('It sent unwanted mail.')
  await picture(page, 'suspend-subscription')
  await suspend.getByRole('button', { name: 'Suspend subscription' }).click()
  await row.getByText('Suspended').waitFor()
  await picture(page, 'suspended-subscription')
  await choose('Lift suspension')
  await row.getByText('Active').waitFor()
})

test('customers without servers are deleted together once their number is typed', async () => {
  await open('/admin/customers?q=state:suspended&sort=-email')
  const [first, second] = await names()
  for (const email of [first, second])
    await page.getByRole('checkbox', { name: `Select ${email}`, exact: true }).check()
  await page
    .getByRole('region', { name: 'Selected customers' })
    .getByRole('button', { name: 'Delete' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Delete 2 customers' })
  await dialog.getByRole('textbox').fill('2')
  await picture(page, 'customers-delete')
  await dialog.getByRole('button', { name: 'Delete 2 customers' }).click()
  await page.getByText('2 customers deleted').waitFor()
  await expect.poll(async () => (await names()).includes(first ?? '')).toBe(false)
  const { items } = await admin.must('GET /api/customers', { query: { q: first ?? '' } })
  expect(items).toEqual([])
})

test('selected sign-ups are judged together, with a result for each', {
  tags: 'long',
}, async () => {
  const { pool } = lodge.database
  await pool.query(
    `insert into users (id, email, role, state, preferences)
     select uuidv7(), 'new-' || n || '@example.net', 'customer',
       case n when 3 then 'unverified' else 'pending' end, '{"mode":null}' from generate_series(1, 3) n`,
  )
  await open('/admin/pending?q=email:new-*', 'Pending sign-ups')
  for (const n of [1, 2, 3])
    await page.getByRole('checkbox', { name: `Select new-${n}@example.net`, exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selected sign-ups' })
  await bar.getByRole('button', { name: 'Approve' }).click()
  await bar.getByText('2 of 3 approved, 1 refused').waitFor()
  await bar.getByText('Its e-mail address is not confirmed yet').waitFor()
  await expectAccessible(page)
  await picture(page, 'pending-selection')
  await bar.getByRole('button', { name: 'Reject sign-up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reject the sign-up of new-3@example.net?' })
  await dialog.getByRole('textbox').fill('We are full')
  await dialog.getByRole('button', { name: 'Reject sign-up' }).click()
  await page.getByText('Sign-up rejected').first().waitFor()
  const { rows } = await pool.query(
    `select email from users where email like 'new-%@example.net' and state = 'active' order by email`,
  )
  expect(rows.map(({ email }) => email)).toEqual(['new-1@example.net', 'new-2@example.net'])
})

test('plans are filtered, ordered and saved as CSV with their limits', async () => {
  await open('/admin/plans', 'Plans')
  await page.getByRole('columnheader', { name: 'Plan' }).getByRole('button').click()
  await expect.poll(() => search().get('sort')).toBe('name')
  await expect.poll(names).toEqual(['Starter', 'Team'])
  await expectAccessible(page)
  await picture(page, 'plans-list')
  await box('Search plans').fill('name:t*')
  await expect.poll(names).toEqual(['Team'])
  const [head = '', line = '', ...others] = await csvLines(page, () =>
    page.getByRole('button', { name: 'CSV' }).click(),
  )
  expect(others).toEqual([])
  const at = head.split(',').indexOf('maxServers')
  expect(line.split(',')[at]).toBe('9')
  await box('Search plans').fill('state:archived')
  await page.getByText('No plans match “state:archived”').waitFor()
})

test('API tokens are filtered by scope, and their columns are chosen', {
  tags: 'long',
}, async () => {
  await open('/admin/tokens', 'API tokens')
  await expectAccessible(page)
  await picture(page, 'tokens-list')
  await page.getByRole('button', { name: 'Provision', exact: true }).click()
  await expect.poll(() => search().get('q')).toBe('scope:provision')
  await expect.poll(() => page.locator('tbody [data-row]').count()).toBe(1)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page
    .getByRole('dialog', { name: 'Columns' })
    .getByRole('checkbox', { name: 'Created', exact: true })
    .check()
  await page.getByRole('columnheader', { name: 'Created', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(browser.faults).toEqual([])
})
