import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { csvLines } from '../support/downloads.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let page: Page
let admin: Caller

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, admin)
}, 120_000)
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const search = () => new URL(page.url()).searchParams
const box = (label: string) => page.getByRole('searchbox', { name: label })
const names = () => page.locator('tbody [data-row] [data-opens]').allInnerTexts()
const open = async (address: string, table: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('table', { name: table }).waitFor()
}

test('administrators are found by what they may do, ordered and saved as CSV', async () => {
  const { email } = await lodge.limitedAdmin(['nodes.view'])
  await lodge.limitedAdmin(['plans.view'])
  await open('/admin/team', 'Team')
  await picture(page, 'team-list')
  await box('Search administrators').fill('permission:nodes.* state:no-second-factor')
  const rows = page.locator('tbody [data-row]')
  // The super administrator has every permission.
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('row', { name: email }).waitFor()
  await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').click()
  await expect.poll(() => search().get('sort')).toBe('-added')
  const [head = '', ...lines] = await csvLines(page, () =>
    page.getByRole('button', { name: 'CSV' }).click(),
  )
  expect(head.split(',')).toContain('permissions')
  expect(lines).toHaveLength(2)
  expect(lines.every((line) => line.includes('nodes.view'))).toBe(true)
  await expectAccessible(page)
  await box('Search administrators').fill('nobody of this name')
  await page.getByText('No administrators match “nobody of this name”').waitFor()
})

test('invitations are filtered by whether they still work, and their columns are chosen', async () => {
  await admin.must('POST /api/signup/invites', { body: { note: 'Friends', maxUses: 3 } })
  await admin.must('POST /api/signup/invites', { body: { note: 'Neighbour' } })
  await lodge.database.pool.query(`update signup_invites set uses = 1 where note = 'Neighbour'`)
  await open('/admin/invites', 'Invitations')
  await expectAccessible(page)
  await picture(page, 'invites-list')
  const rows = page.locator('tbody [data-row]')
  await page.getByRole('button', { name: 'Used up', exact: true }).click()
  await expect.poll(() => search().get('q')).toBe('state:used-up')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('Neighbour').waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page
    .getByRole('dialog', { name: 'Columns' })
    .getByRole('checkbox', { name: 'Created', exact: true })
    .check()
  await page.getByRole('columnheader', { name: 'Created', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const lines = await csvLines(page, () => page.getByRole('button', { name: 'CSV' }).click())
  expect(lines).toHaveLength(2)
})

test('pending sign-ups are filtered and ordered, and CSV has all of the filter', async () => {
  await lodge.database.pool.query(
    `insert into users (id, email, role, state, preferences)
     select uuidv7(), 'late-' || n || '@example.net', 'customer', 'unverified', '{"mode":null}'
     from generate_series(1, 3) n on conflict do nothing`,
  )
  await open('/admin/pending', 'Pending sign-ups')
  await picture(page, 'pending-list')
  await box('Search sign-ups').fill('email:late-*')
  await expect.poll(() => search().get('q')).toBe('email:late-*')
  await page.getByRole('columnheader', { name: 'Account' }).getByRole('button').click()
  await expect
    .poll(names)
    .toEqual(['late-1@example.net', 'late-2@example.net', 'late-3@example.net'])
  await expectAccessible(page)
  const lines = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(lines[0]).toBe('id,email,state,invitation,created_at')
  expect(lines).toHaveLength(4)
})

test('the outbox is filtered by recipient and state, and CSV tells nothing that the mails say', async () => {
  await lodge.database.pool.query(
    `insert into email_messages (id, template, to_address, subject, state, priority, attempts,
       message_id, expires_at, last_error)
     select uuidv7(), 'invitation', 'mail-' || n || '@example.net', 'Welcome ' || n,
       case n when 2 then 'failed' else 'sent' end, 1, n, '<' || n || '@test>', now(),
       case n when 2 then 'Connection timeout' end
     from generate_series(1, 3) n`,
  )
  await open('/admin/email', 'Outbox')
  await picture(page, 'outbox-list')
  await expectAccessible(page)
  const rows = page.locator('tbody [data-row]')
  await box('Search mails').fill('to:mail-*')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('columnheader', { name: 'Attempts' }).getByRole('button').click()
  await expect.poll(() => search().get('sort')).toBe('-attempts')
  await expect.poll(() => rows.first().textContent()).toContain('Welcome 3')
  const lines = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(lines[0]).not.toContain('content')
  expect(lines).toHaveLength(4)
  await page.getByRole('button', { name: 'Failed', exact: true }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('Connection timeout').waitFor()
  expect(browser.faults).toEqual([])
})
