import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { bringMail } from '../../support/mail-bridge.ts'
import { picture as drawnPicture } from '../../support/pictures.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let page: Page
let admin: Caller
let customer: Caller

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  customer = await lodge.customer()
  await admin.must('POST /api/support/articles', {
    body: {
      ...{ slug: 'memory', locale: 'en', title: 'When a server stops: more memory' },
      ...{ section: 'Help', visibility: 'public', status: 'published' },
      bodyMarkdown: 'Give it more memory.',
    },
  })
  await admin.must('POST /api/support/categories', {
    body: {
      name: 'Game servers',
      fields: [{ key: 'version', label: 'Version', type: 'text', required: true }],
    },
  })
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string | RegExp) => page.getByRole('link', { name })
const message = (text: string) => page.getByRole('listitem').filter({ hasText: text })

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1280, height: 800 }

test('a customer on a phone is shown articles while asking, keeps what was typed when the tab is killed, and sends a ticket with a file', async () => {
  await beOn(browser, lodge.origin, customer)
  await page.setViewportSize(PHONE)
  await page.goto('/support')
  await page.getByText('No tickets yet').waitFor()
  await link('New ticket').click()
  await field('Subject').fill('My server stops')
  await link(/When a server stops/).waitFor()
  await expectAccessible(page)
  await field('Your question').fill('It stops a minute after the start.')
  await page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'screen.png', mimeType: 'image/png' },
    buffer: await drawnPicture(400, 300),
  })
  await button('Remove screen.png').waitFor()
  await page.getByText('Draft saved').waitFor()
  await until(async () => {
    const { rows } = await lodge.database.pool.query(
      "select from attachment_previews where state = 'made'",
    )
    return rows.length > 0
  })

  // Nothing of a killed tab runs any more: no handler and no request.
  const killed = page
  page = await browser.context.newPage()
  await killed.close({ runBeforeUnload: false })
  await page.setViewportSize(PHONE)
  await page.goto('/support/new')
  await expect.poll(() => field('Your question').inputValue()).toContain('a minute after')
  expect(await field('Subject').inputValue()).toBe('My server stops')
  // The image is there too, as rendered by the control plane.
  await button('Remove screen.png').waitFor()
  const seen = page.locator('form img')
  await expect
    .poll(() => seen.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(400)

  await page.getByLabel('What is it about?').first().click()
  await page.getByRole('option', { name: 'Game servers' }).click()
  await field('Version').fill('1.21.4')
  await page.locator('input[type="file"]').setInputFiles({
    ...{ name: 'latest.log', mimeType: 'text/plain' },
    buffer: Buffer.from('OutOfMemoryError\n'),
  })
  await button('Remove latest.log').waitFor()
  await picture(page, 'new-ticket')
  await button('Send ticket').click()
  await page.getByRole('heading', { level: 1, name: /My server stops/ }).waitFor()
  await link('latest.log').waitFor()
  await link('screen.png').waitFor()
  await picture(page, 'own-ticket')
  await expectAccessible(page)
  await page.goto('/support/new')
  await field('Subject').waitFor()
  expect(await field('Subject').inputValue()).toBe('')
})

test('an agent works a ticket by keyboard alone: opens, notes, replies, takes and solves it, and the customer reads all but the note', async () => {
  await beOn(browser, lodge.origin, admin)
  await page.setViewportSize(DESK)
  await page.goto('/admin/desk')
  await link(/Unread: My server stops/).waitFor()
  await picture(page, 'desk')
  const { keyboard } = page
  await keyboard.press('?')
  await page.getByText('In a ticket: reply').waitFor()
  await keyboard.press('Escape')
  await page.getByText('In a ticket: reply').waitFor({ state: 'detached' })
  await keyboard.press('j')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'My server stops' }).waitFor()
  await message('It stops a minute after').waitFor()
  await link(/Unread: My server stops/).waitFor({ state: 'detached' })

  await keyboard.press('n')
  await expect
    .poll(() => field('Internal note').evaluate((area) => area === document.activeElement))
    .toBe(true)
  await keyboard.type('Offer the next plan.')
  await keyboard.press('Control+Enter')
  await message('Offer the next plan.').getByText('Internal note').waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA')
  await keyboard.press('a')
  await expect
    .poll(() =>
      page
        .getByRole('combobox', { name: 'Assigned to' })
        .or(page.getByLabel('Assigned to'))
        .first()
        .inputValue(),
    )
    .toContain('(you)')
  await keyboard.press('r')
  await keyboard.type('Try it with 4 GiB.')
  await keyboard.press('Control+Enter')
  await message('Try it with 4 GiB.').waitFor()
  await page.getByText('Pending', { exact: true }).first().waitFor()
  await picture(page, 'desk-ticket')
  await expectAccessible(page)
  await keyboard.press('Escape')
  await keyboard.press('s')
  await button('Snooze ticket').waitFor()
  await keyboard.press('Enter')
  await page.getByText('Snoozed until').first().waitFor()
  await keyboard.press('e')
  await page.getByText('Solved', { exact: true }).first().waitFor()

  await beOn(browser, lodge.origin, customer)
  await page.setViewportSize(PHONE)
  await page.goto('/support')
  await picture(page, 'own-tickets')
  await page.setViewportSize(PHONE)
  await link(/Unread: My server stops/).click()
  await message('Try it with 4 GiB.').waitFor()
  expect(await page.getByText('Offer the next plan').count()).toBe(0)
  await page.getByText('5', { exact: true }).click()
  await button('Send rating').click()
  await page.getByText('Thank you for the rating').waitFor()
  await button('Open it again').click()
  await page.getByText('With support').waitFor()
  await picture(page, 'own-ticket-answered')
})

test('an agent applies a macro by keyboard, corrects a new message, and decides about held mail', async () => {
  await admin.must('POST /api/support/macros', {
    body: {
      ...{ name: 'Restart it', scope: 'all' },
      actions: [
        { type: 'reply', text: 'Hello {customer}, restart it.' },
        { type: 'set_status', status: 'on_hold' },
        { type: 'set_priority', priority: 'high' },
        { type: 'add_tags', tags: ['restart'] },
      ],
    },
  })
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'It hangs', bodyMarkdown: 'Since today.' },
  })
  const params = { id }
  for (const bodyMarkdown of ['Of a friend', 'Of a stranger'])
    await customer.must('POST /api/support/tickets/{id}/messages', {
      params,
      body: { bodyMarkdown },
    })
  // Mails from unauthenticated senders.
  await lodge.database.pool.query(
    "update support_messages set held = true where ticket_id = $1 and body like 'Of a %'",
    [id],
  )
  await beOn(browser, lodge.origin, admin)
  await page.setViewportSize(DESK)
  await page.goto(`/admin/desk/${id}`)
  await message('Since today.').waitFor()

  const { keyboard } = page
  await page.getByPlaceholder('Apply a macro').waitFor()
  const answer = field('Reply to the customer')
  await keyboard.press('r')
  await keyboard.type('//home/ada')
  expect(await answer.inputValue()).toBe('/home/ada')
  await answer.fill('')
  await keyboard.type('/')
  await keyboard.type('rest')
  await page.getByRole('option', { name: /Restart it/ }).waitFor()
  await expectAccessible(page)
  await keyboard.press('Enter')
  await expect.poll(() => answer.inputValue()).toContain(', restart it.')
  await page.getByText('High', { exact: true }).first().waitFor()
  expect(await page.getByLabel('Status after the reply').first().inputValue()).toBe('Then On hold')
  await keyboard.type(' Now.')
  await keyboard.press('Control+Enter')
  await message('restart it. Now.').waitFor()
  expect(await admin.must('GET /api/support/tickets/{id}', { params })).toMatchObject({
    ...{ status: 'on_hold', priority: 'high', staff: { tags: ['restart'] } },
  })

  await message('restart it. Now.').getByRole('button', { name: 'Edit' }).click()
  await field('Message').fill('Restart it, please.')
  await button('Save message').click()
  await message('Restart it, please.').getByText('edited').waitFor()

  const friend = message('Of a friend')
  await friend.getByRole('button', { name: 'Accept', exact: true }).click()
  await button('Accept mail').click()
  await friend.getByText('Held back').waitFor({ state: 'detached' })
  await message('Of a stranger').getByRole('button', { name: 'Discard', exact: true }).click()
  await button('Discard mail').click()
  await message('Of a stranger').waitFor({ state: 'detached' })
  const own = await customer.must('GET /api/support/tickets/{id}', { params })
  expect(own.messages.map(({ bodyMarkdown }) => bodyMarkdown)).toEqual([
    ...['Since today.', 'Of a friend', 'Restart it, please.'],
  ])
  expect(own.status).toBe('open')
})

test('an agent sees how each mail was authenticated, and why it is held', async () => {
  const { secret } = await admin.must('POST /api/support/inbound/secret')
  const address = 'support@desk.example.com'
  await admin.must('PUT /api/support/inbound/settings', { body: { enabled: true, address } })
  const bring = (from: string, text: string, more: object) =>
    bringMail(lodge.url, secret, { ...{ from, to: [address], text, subject: 'My disk' }, ...more })
  const first = '<first@example.org>'
  await bring('ann@example.org', 'It is full.', { messageId: first, auth: { dmarc: 'pass' } })
  const more = { inReplyTo: first, auth: {} }
  await bring('ann@example.org', 'Still full.', more)
  await bring('ann@example.org', 'Delete it all.', { ...more, auth: { dmarc: 'fail' } })
  await bring('eve@a-very-long-name-of-an-institute.elsewhere.example', 'Me too.', {
    ...more,
    auth: { dmarc: 'pass' },
  })
  const { items } = await admin.must('GET /api/support/tickets', { query: { view: 'held' } })
  const id = items.find(({ subject }) => subject === 'My disk')?.id ?? ''
  await beOn(browser, lodge.origin, admin)
  await page.setViewportSize(DESK)
  await page.goto(`/admin/desk/${id}`)
  await message('It is full.').getByText('Sender verified by example.org').waitFor()
  await message('Still full.').getByText('Sender not verified').waitFor()
  const forged = message('Delete it all.')
  await forged.getByText('Sender not verified').waitFor()
  await forged.getByText('failed the DMARC policy of the sender’s domain').waitFor()
  const other = message('Me too.')
  await other
    .getByText('Sender verified by a-very-long-name-of-an-institute.elsewhere.example')
    .waitFor()
  await other.getByText('does not come from the address of the person').waitFor()
  await expectAccessible(page)
  await picture(page, 'senders-of-mail')

  // The desk's mail returns to the sender, which the answering agent has to know.
  const params = { id }
  const written = await admin.must('POST /api/support/tickets/{id}/messages', {
    params,
    body: { bodyMarkdown: 'Delete what you do not need.' },
  })
  const came = { from: 'MAILER-DAEMON@example.org', subject: 'Undelivered', text: 'No such user' }
  const inReplyTo = `<${written.id}@${new URL(lodge.origin).hostname}>`
  const report = { 'Content-Type': 'multipart/report; report-type=delivery-status' }
  await bring('MAILER-DAEMON@example.org', 'No such user', { ...came, inReplyTo, headers: report })
  await page.getByText('A mail to the customer bounced').first().waitFor()
  await page.getByText('Their mail server refused “Undelivered”', { exact: false }).waitFor()
  await page.getByText('Mail of eve@a-very-long-name', { exact: false }).waitFor()
  await expectAccessible(page)
})

test('several tickets are changed together, and refusals are shown for each', async () => {
  await customer.must('POST /api/support/tickets', {
    body: { subject: 'Refund', bodyMarkdown: 'For May.' },
  })
  const closed = await customer.must('POST /api/support/tickets', {
    body: { subject: 'Old question', bodyMarkdown: 'Never mind.' },
  })
  await beOn(browser, lodge.origin, admin)
  await page.setViewportSize(DESK)
  await page.goto('/admin/desk')
  for (const subject of ['Refund', 'Old question', 'My server stops'])
    await page.getByRole('listitem').filter({ hasText: subject }).getByRole('checkbox').check()
  // Another person closes one of them meanwhile.
  const params = { id: closed.id }
  for (const status of ['solved', 'closed'] as const) {
    const { version } = await admin.must('GET /api/support/tickets/{id}', { params })
    await admin.must('PATCH /api/support/tickets/{id}', { params, body: { version, status } })
  }
  await button('Assign to me').click()
  await page.getByText('2 of 3 changed, 1 refused').waitFor()
  await expectAccessible(page)
})

test('settings of the desk, a category with a choice and a group are saved', async () => {
  await page.goto('/admin/desk/settings')
  await field('A reply opens a solved ticket again for').fill('14')
  await button('Save settings').click()
  await page.getByText('Settings of the support desk saved').waitFor()
  await link('Categories').click()
  await button('New category').click()
  await field('Name').fill('Billing')
  await button('Add field').click()
  await field('Label of field 1').fill('Invoice')
  await button('Save category').click()
  await button('Billing').waitFor()
  await link('Groups').click()
  await button('New group').first().click()
  await field('Name').fill('Accounts')
  await button('Save group').click()
  await button('Accounts').waitFor()
  await expectAccessible(page)
  const desk = await admin.must('GET /api/support/settings')
  expect(desk.settings.reopenDays).toBe(14)
  expect(desk.categories.map(({ name }) => name)).toContain('Billing')
  expect(browser.faults).toEqual([])
})

test('the reports show the work of the desk, grouped as chosen, and can be saved', async () => {
  await page.setViewportSize(DESK)
  await page.goto('/admin/desk')
  await link('Reports of the support desk').click()
  const rows = page.getByRole('table', { name: 'By day' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(31)
  const { total, by } = await admin.must('GET /api/support/reports', { query: { days: 30 } })
  expect(total.created).toBeGreaterThan(3)
  expect(await rows.nth(1).textContent()).toContain(String(total.created))
  await picture(page, 'desk-reports')
  await expectAccessible(page)
  await page.setViewportSize(PHONE)
  await expectAccessible(page)
  await page.setViewportSize(DESK)
  await page.getByText('Category', { exact: true }).click()
  const categories = page.getByRole('table', { name: 'Category' }).getByRole('row')
  await expect.poll(() => categories.count()).toBe(by.category.length + 1)
  await page.getByText('90 days', { exact: true }).click()
  await page.getByRole('table', { name: 'By week' }).waitFor()
  expect(new URL(page.url()).search).toBe('?days=90&by=category')
  const file = page.waitForEvent('download')
  const tickets = page.getByRole('region', { name: 'Tickets', exact: true })
  await tickets.getByRole('link', { name: 'CSV' }).click()
  const [head, ...lines] = (await readFile(await (await file).path(), 'utf8')).trim().split('\n')
  expect(head).toMatch(/^id,name,created,solved/)
  expect(lines.length).toBe(by.category.length)
  expect(browser.faults).toEqual([])
})
