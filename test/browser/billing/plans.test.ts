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
  browser = await openBrowser(lodge.origin)
  page = browser.page
  await lodge.template({ name: 'Minecraft: Paper' })
}, 120_000)
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})
const button = (name: string | RegExp) => page.getByRole('button', { name })
const field = (label: string) => page.getByLabel(label, { exact: true })

test('a server plan is made, priced, copied and moved to the front', async () => {
  await admin.must('POST /api/plans', { body: { name: 'Family', kind: 'account' } })
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/plans/new')
  await page.getByRole('radio', { name: /^Server plan/ }).check()
  await field('Name').fill('Server S')
  await field('Stock').fill('5')
  await page.getByRole('combobox', { name: 'Templates' }).click()
  await page.getByRole('option', { name: 'Minecraft: vanilla' }).first().click()
  await button('Create plan').click()
  await page.getByRole('link', { name: 'Server S' }).click()

  await button('Add price').click()
  await field('Amount').fill('9,999')
  await button('Save plan').click()
  await page.getByText('Enter an amount like 9.99').waitFor()
  await field('Amount').fill('9,99')
  await button('Save plan').click()
  await expect.poll(() => field('Amount').inputValue()).toBe('9.99')

  await button('Duplicate plan').click()
  await page.getByRole('heading', { level: 1, name: /^Server S \(copy\)/ }).waitFor()
  await page.goto('/admin/plans')
  await page.getByRole('cell', { name: '9.99 EUR monthly' }).first().waitFor()
  await button('Change order').click()
  await button('Move Server S up').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change order' }).click()
  await page.getByText('Order changed').waitFor()
  const { items } = await admin.must('GET /api/plans')
  expect(items.map(({ name }) => name)).toEqual(['Server S', 'Family', 'Server S (copy)'])
  expect(items[0]).toMatchObject({ stock: 5, prices: [{ amount: 999, currency: 'EUR' }] })
  expect(browser.faults).toEqual([])
})
