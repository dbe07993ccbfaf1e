import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
let page: Page
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin, { locale: 'de-DE' })
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (label: string) => page.getByLabel(label, { exact: true })

test('fields of amounts use the decimal comma like the page, and accept its thousands separator', async () => {
  const { id: planId } = await admin.must('POST /api/plans', {
    body: {
      ...{ name: 'Groß', kind: 'account', visibility: 'public' },
      prices: [{ cycle: 'monthly', amount: 123_450, currency: 'EUR' }],
    },
  })
  const { id, email } = await lodge.customer()
  const customer = await lodge.session(id, email)
  const { invoice } = await customer.must('POST /api/store/checkout', {
    body: { planId, cycle: 'monthly' },
  })
  await beOn(browser, lodge.origin, customer)
  await page.goto('/billing')
  await page.getByText('Bezahlen Sie zuerst die offenen Rechnungen').waitFor({ state: 'attached' })

  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/invoices')
  await button(`Aktionen für ${invoice?.number}`).click()
  await page.getByRole('menuitem', { name: 'Zahlung erfassen…' }).click()
  const received = field('Eingegangener Betrag (EUR)')
  await expect.poll(() => received.inputValue()).toBe('1234,50')
  await received.fill('1.234')
  await button('Zahlung erfassen').click()
  await page.getByText(/Betrag wie/).waitFor()
  await received.fill('1.234,50')
  await button('Zahlung erfassen').click()
  await page.getByRole('cell', { name: 'Bezahlt', exact: true }).waitFor()
  const { items } = await admin.must('GET /api/billing/invoices', { query: {} })
  expect(items[0]).toMatchObject({ status: 'paid', amountPaid: 123_450 })

  const settings = await admin.must('GET /api/billing/settings')
  await admin.must('PUT /api/billing/settings', {
    body: { ...settings, tax: { name: 'MwSt.', basisPoints: 810 } },
  })
  await page.goto(`/admin/plans/${planId}`)
  await expect.poll(() => field('Betrag').inputValue()).toBe('1234,50')
  expect(browser.faults).toEqual([])
})
