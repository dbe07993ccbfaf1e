import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScreen, type Screen } from './all-screens.ts'
import { type Browser, openBrowser } from './browser.ts'
import { openStage, type Stage } from './stage.ts'
import { beOn } from './visit.ts'

let stage: Stage
let browser: Browser
let page: Page
let screens: readonly Screen[]

beforeAll(async () => {
  stage = await openStage()
  screens = await everyScreen(stage)
  browser = await openBrowser(stage.lodge.origin)
  page = browser.page
  await beOn(browser, stage.lodge.origin, stage.admin)
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

async function open(path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}

const complaints = (): Promise<number> => page.locator('[aria-invalid="true"]').count()

/** The button that sends the form in which a field stands. */
const sendButton = (field: Locator): Locator =>
  field.locator('xpath=ancestor::form').locator('button[type="submit"]')

test('no form sends anything, or says that it is done, while one of its fields complains', {
  timeout: 300_000,
}, async () => {
  const sent: string[] = []
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    if (request.method() === 'GET') return route.fallback()
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
    // Complaints that are seen afterwards are the page's own.
    return route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/problems/conflict',
        title: 'Conflict',
        status: 409,
        code: 'conflict',
        detail: 'Nothing is changed by this test',
        instance: 'test',
      }),
    })
  })
  const refused: string[] = []
  for (const { path } of screens) {
    await open(path)
    const fields = page.locator('form input:is([type="text"], [type="email"], :not([type]))')
    for (let at = 0; at < (await fields.count()); at++) {
      const field = fields.nth(at)
      const usable =
        (await field.isEditable()) && (await field.getAttribute('aria-haspopup')) === null
      if (!usable || (await sendButton(field).count()) !== 1) continue
      const label = (await field.getAttribute('id')) ?? String(at)
      const before = await field.inputValue()
      await field.fill('abc')
      sent.length = 0
      await field.press('Enter')
      await expect.poll(() => sendButton(field).getAttribute('aria-busy')).toBeNull()
      if ((await complaints()) > 0) {
        refused.push(`${path} ${label}`)
        expect(sent, `${path}: a form with a complaint was sent`).toEqual([])
      }
      await field.fill(before)
    }
  }
  await page.unroute('**/api/**')
  // Sizes, amounts, ports and addresses of all these forms: it is not that nothing was found.
  expect(refused.length, refused.join('\n')).toBeGreaterThan(15)
})
