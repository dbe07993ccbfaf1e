import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
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

test('an administrator of the desk turns on incoming mail, and writes a macro', async () => {
  await beOn(browser, lodge.origin, await lodge.admin())
  await openScreen(browser, '/admin/desk/mail')
  const current = page.getByRole('navigation').locator('a[aria-current="page"]')
  await expect.poll(() => current.allInnerTexts()).toEqual(['Mail and reports'])
  await page.getByLabel('Take in mail').click()
  expect(await button('Save settings').getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel('Address of the desk').fill('support@example.com')
  await button('Save settings').click()
  await page.getByText('Settings saved').first().waitFor()
  await button('Make secret').click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByText('Set. It is stored encrypted').waitFor()
  const admin = await lodge.admin()
  expect(await admin.must('GET /api/support/inbound/settings')).toMatchObject({
    ...{ enabled: true, address: 'support@example.com', hasSecret: true },
  })

  await openScreen(browser, '/admin/desk/macros')
  await button('New macro').click()
  await page.getByLabel('Name').fill('Restart it')
  await page.getByRole('textbox', { name: 'Answer' }).fill('Hello {customer}, restart the server.')
  await button('Save macro').click()
  await page.getByRole('row', { name: /Restart it answers All agents/ }).waitFor()
  await button('Delete Restart it').click()
  await button('Delete macro').click()
  await page.getByText('No macros yet').waitFor()
  expect(browser.faults).toEqual([])
})

test('somebody without an account reports abuse and gets a reference', async () => {
  await beOn(browser, lodge.origin)
  await openScreen(browser, '/abuse')
  await page.getByRole('combobox', { name: 'What is it' }).click()
  await page.getByRole('option', { name: 'Phishing' }).click()
  await page.getByLabel('Where').fill('https://203.0.113.7:8443/login')
  await page.getByLabel('What happened').fill('A page that asks for passwords of a bank.')
  await page.getByLabel('When it happened').fill('2999-01-01T12:00')
  const proof = { name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('GET /login') }
  const program = { ...proof, name: 'tool.exe', buffer: Buffer.from('MZ\0\0') }
  await page.getByLabel('Add files').setInputFiles([proof, program])
  await button('Remove proof.txt').waitFor()
  await page.getByText('tool.exe was not accepted').waitFor()
  await button('Send report').click()
  await page.getByText('is in the future').waitFor()
  await page.getByLabel('When it happened').fill('')
  await button('Send report').click()
  await page.getByText(/Your reference is AB-[0-9A-F]{10}/).waitFor()
  const admin = await lodge.admin()
  const { items } = await admin.must('GET /api/support/tickets', { query: { view: 'all' } })
  const { messages } = await admin.must('GET /api/support/tickets/{id}', {
    params: { id: items.find(({ subject }) => subject.includes('203.0.113.7'))?.id ?? '' },
  })
  expect(messages[0]?.attachments).toMatchObject([{ name: 'proof.txt', sizeBytes: 10 }])
  const link = await page.getByText('/abuse/status#token=').textContent()
  await openScreen(browser, `/abuse/status${new URL(link ?? '').hash}`)
  await page.getByText('Received').waitFor()
  await page.getByLabel('Add something').fill('It asks for a second bank, too.')
  await button('Send addition').click()
  await page.getByText('Addition sent').waitFor()
  await page.getByText('Additions', { exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})
