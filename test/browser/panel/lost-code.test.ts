import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, openScreen } from '../support/visit.ts'

const CODE = '**/assets/**'

let lodge: Lodge
let browser: Browser
let page: Page
let loads = 0

beforeAll(async () => {
  lodge = await startPanel()
  const admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
  page = browser.page
  page.on('domcontentloaded', () => loads++)
  await beOn(browser, lodge.origin, admin)
})

afterEach(async () => {
  await page.unrouteAll()
  await page.evaluate(() => sessionStorage.clear())
  expect(browser.faults).toEqual([])
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const open = (name: string) => page.getByRole('link', { name, exact: true }).first().click()

/** Aborts the first request of every file, as a change of network does. */
function failOnce(): (route: Route) => Promise<void> {
  const seen = new Set<string>()
  return async (route) => {
    const url = route.request().url()
    if (seen.has(url)) return route.continue()
    seen.add(url)
    await route.abort('failed')
  }
}

test('code whose request a change of network aborts is fetched again: no page, dialog or style is lost', async () => {
  await openScreen(browser, '/admin')
  loads = 0
  await page.route(CODE, failOnce())
  await open('Nodes')
  await heading('Nodes')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('templates')
  const first = page.getByRole('option', { name: /^Templates/, selected: true })
  await first.waitFor()
  const styled = await page
    .getByRole('dialog', { name: 'Search and commands' })
    .evaluate((dialog) => getComputedStyle(dialog).borderRadius)
  expect(styled).not.toBe('0px')
  await page.keyboard.press('Enter')
  await heading('Templates')
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(loads).toBe(0)
})

test('a panel whose own code fails to load while it is opened reloads itself', async () => {
  await page.route(/\/assets\/index-.*\.js$/, failOnce())
  loads = 0
  await page.goto('/jobs')
  await heading('Jobs')
  expect(loads).toBe(2)
})

test('a panel that cannot load its code says so after three attempts', async () => {
  await page.route(CODE, (route) => route.abort('failed'))
  loads = 0
  await page.goto('/jobs')
  await page.getByText('The panel could not be loaded. Check your connection').waitFor()
  expect(loads).toBe(4)
})

test('a page whose file an update has removed is loaded from the new files', async () => {
  await openScreen(browser, '/admin')
  loads = 0
  await page.route(/\/assets\/plans-page-.*\.js$/, (route) =>
    loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
  )
  await open('Plans')
  await heading('Plans')
  expect(loads).toBe(1)
  // The router may still report the error when it reloads.
  expect(browser.faults.splice(0).filter((fault) => !fault.includes('plans-page'))).toEqual([])
})

test('without a connection a page says so, keeps the panel and can be retried', async () => {
  await openScreen(browser, '/admin')
  loads = 0
  await page.route(CODE, (route) => route.abort('failed'))
  await page.route('**/api/**', (route) => route.abort('failed'))
  await open('Templates')
  await page.getByText('The panel could not be reached').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading('Templates')
  expect(loads).toBe(0)
  expect(browser.faults.splice(0).join()).toContain('could not be reached')
})
