import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertServers } from '../../../bench/src/stage/fleet-rows.ts'
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
})
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

test('administrators are filtered by permission, ordered and saved as CSV', async () => {
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

test('invitations are filtered by whether they still work, and their columns are chosen', {
  tags: 'long',
}, async () => {
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
  await lodge.database.pool.query(
    `insert into signup_invites (id, code_hash, prefix)
     select uuidv7(), decode(md5(n::text), 'hex'), 'code' || n from generate_series(1, 600) n`,
  )
  await open('/admin/invites', 'Invitations')
  const table = page.getByRole('table', { name: 'Invitations' })
  // Including the header and the two before.
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('603')
  await picture(page, 'invites-many')
  await expectAccessible(page)
})

test('all servers of a customer are on the pages of their tab, filtered, ordered and as CSV', async () => {
  const { pool } = lodge.database
  const customer = await lodge.customer()
  await lodge.node({ name: 'rack-1' })
  await insertServers(pool, { templateId: (await lodge.template()).id, from: 0, to: 15_000 })
  const { rowCount } = await pool.query('update servers set owner_id = $1', [customer.id])
  expect(rowCount).toBeGreaterThan(100)
  const address = `/admin/customers/${customer.id}/servers`
  await open(address, 'Servers of this customer')
  await picture(page, 'customer-servers')
  await expectAccessible(page)
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => search().get('sort')).toBe('name')
  // The rows of the former order stay until those of the new one have arrived.
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Name' }).waitFor()
  await page.locator('[aria-busy="true"]:has(tbody)').waitFor({ state: 'detached' })
  const seen = new Set<string>()
  for (;;) {
    await expect.poll(async () => (await names()).some((name) => seen.has(name))).toBe(false)
    for (const name of await names()) seen.add(name)
    const next = page.getByRole('button', { name: 'Next' })
    if ((await next.getAttribute('aria-disabled')) === 'true') break
    await next.click()
  }
  expect(seen.size).toBe(rowCount)
  const [first = ''] = [...seen]
  await box('Search servers').fill(first)
  await expect.poll(() => search().get('q')).toBe(first)
  expect(search().has('after')).toBe(false)
  await expect.poll(async () => (await names()).every((name) => name.startsWith(first))).toBe(true)
  await box('Search servers').fill('state:stopped')
  await page.getByText('No servers match “state:stopped”').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  const lines = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(lines).toHaveLength((rowCount ?? 0) + 1)
})

test('all servers of a node are on the pages of its tab, filtered, ordered and as CSV', {
  tags: 'long',
}, async () => {
  const { rows } = await lodge.database.pool.query<{ id: string; name: string; count: number }>(
    `select n.id, n.name, count(*)::int from nodes n join servers s on s.node_id = n.id
     group by n.id order by 3 desc limit 1`,
  )
  const [{ id = '', name = '', count = 0 } = {}] = rows
  await open(`/admin/nodes/${id}/servers?sort=-name`, `Servers on ${name}`)
  await picture(page, 'node-servers')
  await expectAccessible(page)
  const shown = await names()
  expect(shown).toEqual(shown.toSorted().reverse())
  expect(count).toBeGreaterThan(shown.length)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(async () => (await names()).some((one) => shown.includes(one))).toBe(false)
  expect(await page.getByRole('columnheader', { name: 'Node' }).count()).toBe(0)
  const lines = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(lines).toHaveLength(count + 1)
  await box('Search servers').fill('state:stopped')
  await page.getByText('No servers match “state:stopped”').waitFor()
  expect(search().has('after')).toBe(false)
})

test('pending sign-ups are filtered and ordered, and CSV has all rows of the filter', async () => {
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

test('the outbox is filtered by recipient and state, and CSV does not contain the contents of the mails', {
  tags: 'long',
}, async () => {
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
