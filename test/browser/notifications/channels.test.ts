import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isSigned, Receiver } from '../../api/notifications/receiver.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, PASSWORD } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectReadableInTurn, openScreen } from '../support/visit.ts'

let lodge: Lodge
let receiver: Receiver
let browser: Browser
let page: Page
let person: Caller

beforeAll(async () => {
  receiver = await new Receiver().listen()
  lodge = await startPanel({ LODGE_CHANNEL_HOSTS: receiver.host })
  const email = 'told@example.com'
  const { id } = await (await lodge.admin()).must('POST /api/customers', {
    body: { email, password: PASSWORD },
  })
  person = await lodge.session(id, email)
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await beOn(browser, lodge.origin, person)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

test('a person adds a webhook, tests it, chooses its events and sees its response', async () => {
  // A second attempt begins like the first.
  for (const { id } of (await person.must('GET /api/notification-channels')).items)
    await person.must('DELETE /api/notification-channels/{id}', { params: { id } })
  receiver.received.length = 0
  await openScreen(browser, '/account/notifications')
  await page.getByText('There is no channel yet').waitFor()
  await expectReadableInTurn(browser, 'channels-none')
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a notification channel' })
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await dialog.getByLabel('Name').fill('My program')
  await dialog.getByLabel('Address').fill('not an address')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await dialog.getByText('must begin with https://').first().waitFor()
  await expectReadableInTurn(browser, 'channels-add')
  await dialog.getByLabel('Address').fill(receiver.url('/hook'))
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  const secret = (await page.getByText(/^whsec_/).textContent())?.trim() ?? ''

  receiver.answer = (_request, response) => void response.writeHead(500).end('out of order')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('out of order').waitFor()
  await expectReadableInTurn(browser, 'channels-test')
  const [tested] = receiver.at('/hook')
  expect(tested && isSigned(tested, secret)).toBe(true)
  await page.keyboard.press('Escape')

  receiver.answer = (_request, response) => void response.writeHead(200).end('thanks')
  const tick = page.getByRole('checkbox', { name: 'The password was changed: My program' })
  await page.locator('summary', { hasText: 'Account' }).click()
  expect(await tick.isChecked()).toBe(true)
  await page.getByRole('checkbox', { name: 'An API token was created: My program' }).check()
  await expectReadableInTurn(browser, 'channels-matrix')
  await page.getByRole('button', { name: 'Save events' }).click()
  await page.getByText('The events were saved').waitFor()
  const [channel] = (await person.must('GET /api/notification-channels')).items
  expect(channel?.events).toContain('account.token_created')

  await person.must('POST /api/auth/password', {
    body: { currentPassword: PASSWORD, newPassword: PASSWORD },
  })
  await until(() => receiver.at('/hook').length === 2)
  await page.getByRole('button', { name: 'Actions for My program' }).click()
  await page.getByRole('menuitem', { name: 'Log' }).click()
  const log = page.getByRole('dialog', { name: 'Log of My program' })
  await log.getByText('thanks').waitFor()
  await expectReadableInTurn(browser, 'channels-log')
  await log.getByRole('button', { name: 'Send again' }).click()
  await until(() => receiver.at('/hook').length === 3)
})

test('a person chooses a plugin’s style for a channel of a kind that has one', async () => {
  const body = { source: 'bundled', id: 'style-discord', acceptPermissions: true } as const
  const admin = await lodge.admin()
  const installed = (await admin.must('GET /api/plugins')).items.some(({ id }) => id === body.id)
  if (!installed) await admin.must('POST /api/plugins', { body })
  for (const { id } of (await person.must('GET /api/notification-channels')).items)
    await person.must('DELETE /api/notification-channels/{id}', { params: { id } })
  await openScreen(browser, '/account/notifications')
  await page.getByRole('button', { name: 'Add channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a notification channel' })
  const choose = async (field: string, option: string) => {
    await dialog.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await choose('Kind', 'Discord')
  await choose('Style', 'Discord embeds')
  // Another kind starts with its own style, and has no field if there is only one.
  await choose('Kind', 'Slack')
  await dialog.getByLabel('Address').waitFor()
  expect(await dialog.getByRole('combobox', { name: 'Style' }).count()).toBe(0)
  await choose('Kind', 'Discord')
  await choose('Style', 'Discord embeds')
  await expectReadableInTurn(browser, 'channels-style')
  await dialog.getByLabel('Name').fill('Team')
  await dialog.getByLabel('Address').fill('https://discord.com/api/webhooks/1/abc')
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await page.getByText('The channel was added').waitFor()
  expect((await person.must('GET /api/notification-channels')).items).toMatchObject([
    { kind: 'discord', style: 'plugin:style-discord' },
  ])
})
