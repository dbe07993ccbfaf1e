import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, openScreen } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let page: Page

beforeAll(async () => {
  lodge = await startPanel()
  await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const menu = async (rule: string, entry: string) => {
  await button(`Actions for ${rule}`).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}
const order = async () => {
  const rows = await page.getByRole('row').allInnerTexts()
  return rows.slice(1).map((row) => row.split(/\s/).slice(0, 2).join(' '))
}

test('an administrator of the desk writes a rule, tests it on a ticket, orders rules and sees their effects', async () => {
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  const ticket = (subject: string) =>
    customer.must('POST /api/support/tickets', { body: { subject, bodyMarkdown: 'How?' } })
  await ticket('My server is slow')
  await beOn(browser, lodge.origin, admin)
  await openScreen(browser, '/admin/desk/settings/rules')
  await button('New rule').click()
  await page.getByLabel('Name', { exact: true }).fill('Slow')
  await button('Add condition').click()
  await page.getByRole('textbox', { name: 'Value 1', exact: true }).fill('slow')
  await button('Add alternative').click()
  await choose('Alternative 1', 'Priority')
  await choose('Value of alternative 1', 'Normal')
  expect(await button('Save rule').getAttribute('aria-disabled')).toBe('true')
  await choose('Action 1', 'Set priority')
  await choose('Detail of action 1', 'High')
  await button('Add action').click()
  await choose('Action 2', 'Answer')
  await page.getByRole('textbox', { name: 'Detail of action 2' }).fill('Hello {customer}.')
  await page.getByRole('combobox', { name: 'Find a ticket' }).fill('slow')
  await page.getByRole('option', { name: /My server is slow/ }).click()
  await page.getByText(/^The rule would act on T-000001/).waitFor()
  const met = /^Subject\s*contains\s*slow\s*met$/
  await page.getByRole('listitem').filter({ hasText: met }).waitFor()
  await picture(page, 'rule')
  await expectAccessible(page)
  await button('Save rule').click()
  await page.getByText('Rule saved').first().waitFor()
  expect((await admin.must('GET /api/support/rules')).items).toMatchObject([
    {
      ...{ name: 'Slow', on: 'ticket.created', enabled: true, stop: false, idleMinutes: null },
      when: {
        all: [{ field: 'subject', op: 'contains', value: 'slow' }],
        any: [{ field: 'priority', op: 'eq', value: 'normal' }],
      },
      actions: [
        { type: 'set_priority', priority: 'high' },
        { type: 'reply', text: 'Hello {customer}.' },
      ],
    },
  ])

  await button('New rule').click()
  await page.getByLabel('Name', { exact: true }).fill('Waits')
  await choose('When', 'Nobody writes for a time')
  await page.getByLabel('Hours in which nobody writes').fill('48')
  const tags = page.getByRole('combobox', { name: 'Detail of action 1' })
  await tags.fill('late')
  await tags.press('Enter')
  await button('Save rule').click()
  await page.getByRole('row', { name: /Waits/ }).waitFor()
  await menu('Waits', 'Move up')
  await expect.poll(order).toEqual(['1. Waits', '2. Slow'])
  await menu('Waits', 'Switch off')
  await page.getByRole('row', { name: /Waits.*Off/ }).waitFor()

  await ticket('Another slow one')
  await menu('Slow', 'Record')
  await page.getByRole('link', { name: 'T-000002' }).waitFor()
  await picture(page, 'record')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await menu('Waits', 'Delete')
  await button('Delete rule').click()
  await expect.poll(order).toEqual(['1. Slow'])
  // The editor opens with the saved state.
  await button('Slow').click()
  await page.getByText('Hello {customer}.').waitFor()
  expect(await page.getByRole('combobox', { name: 'Detail of action 1' }).inputValue()).toBe('High')
  await page.keyboard.press('Escape')
  await picture(page, 'rules')
  await expectAccessible(page)
  expect(browser.faults).toEqual([])
})

const field = (name: string) => page.getByRole('textbox', { name, exact: true })

test('an agent writes to a customer first, and saves a view of the list under a name', async () => {
  const admin = await lodge.admin()
  const customer = await lodge.customer()
  // A first attempt may have left one that hangs, too.
  const subject = `It hangs ${randomUUID().slice(0, 8)}`
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject, bodyMarkdown: 'Since today.' },
  })
  const params = { id }
  const { version } = await admin.must('GET /api/support/tickets/{id}', { params })
  const body = { version, priority: 'high' as const }
  await admin.must('PATCH /api/support/tickets/{id}', { params, body })
  await beOn(browser, lodge.origin, admin)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/admin/desk')
  await page.getByRole('link', { name: 'New ticket for a customer' }).click()
  const name = customer.email.split('@')[0] ?? ''
  await page.getByRole('combobox', { name: 'Customer' }).fill(name)
  await page.getByRole('option', { name }).click()
  await field('Subject').fill('Your node moves on Sunday')
  await field('Your message').fill('It is off from 4 to 5.')
  await expectAccessible(page)
  await picture(page, 'new-ticket-for')
  await button('Send ticket').click()
  await page.getByRole('heading', { level: 1, name: 'Your node moves on Sunday' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/admin\/desk\//)
  const { items } = await customer.must('GET /api/support/tickets')
  expect(items.find(({ subject }) => subject.startsWith('Your node'))).toMatchObject({
    ...{ requester: { id: customer.id }, unread: true },
  })

  await page.goto('/admin/desk?view=all&priority=high')
  await page.getByRole('link', { name: subject }).waitFor()
  await button('Views').click()
  await page.getByLabel('Name of this view').fill('Urgent of all')
  await button('Save view').click()
  const view = page
    .getByRole('combobox', { name: 'Tickets shown' })
    .or(page.getByLabel('Tickets shown'))
    .first()
  await expect.poll(() => view.inputValue()).toBe('Urgent of all')
  await picture(page, 'desk-views')
  await view.click()
  await page.getByRole('option', { name: 'Unassigned' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?view=unassigned')
  await view.click()
  await page.getByRole('option', { name: 'Urgent of all' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?view=all&priority=high')
  await expectAccessible(page)
})
