import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { FIRST_VISIT_KIB } from '../support/first-visit.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser

beforeAll(async () => {
  lodge = await startPanel()
  await lodge.admin()
  browser = await openBrowser(lodge.origin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** The KB transferred on a first visit, with an empty cache. */
async function firstVisitKb(address: string): Promise<number> {
  const { page, context } = browser
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.clearBrowserCache')
  let bytes = 0
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await line.detach()
  return bytes / 1024
}

test('a first visit stays within its transfer budget, typefaces included', async () => {
  await beOn(browser, lodge.origin)
  expect(await firstVisitKb('/login')).toBeLessThanOrEqual(FIRST_VISIT_KIB.signIn)
  await beOn(browser, lodge.origin, await lodge.customer())
  expect(await firstVisitKb('/servers')).toBeLessThanOrEqual(FIRST_VISIT_KIB.list)
})

/** The layout shift of the largest block when the typefaces arrive after the first paint. */
async function shiftOf(page: Page, address: string): Promise<number> {
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/*.woff2', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  const heading = page.getByRole('heading', { level: 1 })
  await heading.waitFor()
  const before = await heading.boundingBox()
  release?.()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  const loaded = await page.evaluate(() =>
    [...document.fonts].some((face) => face.family.includes('Geist') && face.status === 'loaded'),
  )
  expect(loaded, 'the typeface that the panel ships').toBe(true)
  const after = await heading.boundingBox()
  await page.unroute('**/*.woff2')
  return Math.abs((before?.y ?? 0) - (after?.y ?? 0))
}

test('the shipped typeface is used, and nothing moves when it arrives late', async () => {
  await beOn(browser, lodge.origin)
  expect(await shiftOf(browser.page, '/login')).toBeLessThan(2)
  expect(browser.faults).toEqual([])
})

test('the logo stays in its place until the panel has rendered something', async () => {
  await beOn(browser, lodge.origin, await lodge.customer())
  const page = await browser.context.newPage()
  await page.addInitScript(() => {
    const waiting: string[] = []
    Object.assign(window, { waiting })
    const look = (): void => {
      const drawn = [...(document.getElementById('root')?.children ?? [])]
      const logo = document.querySelector('.first')
      // React has started, with hidden elements only.
      if (drawn.length > 0 && drawn.every(({ tagName }) => tagName === 'STYLE'))
        waiting.push(logo ? getComputedStyle(logo).display : 'gone')
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  const line = await browser.context.newCDPSession(page)
  await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const waiting = await page.evaluate(() => (window as { waiting?: string[] }).waiting)
  expect(new Set(waiting)).toEqual(new Set(['block']))
  expect(await page.locator('.first').isVisible()).toBe(false)
  await page.close()
})

test('the compact density is stored with the account and applied before the first paint', async () => {
  const customer = await lodge.customer()
  await beOn(browser, lodge.origin, customer)
  const { page } = browser
  await page.goto('/account')
  const height = () =>
    page
      .getByLabel('Name')
      .first()
      .evaluate((field) => field.clientHeight)
  const before = await height()
  await page.getByText('Compact', { exact: true }).click()
  await expect.poll(height).toBeLessThan(before)
  await expect
    .poll(async () => (await customer.must('GET /api/auth/me')).preferences.density)
    .toBe('compact')
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.body)
        (window as { atBody?: string }).atBody ??= document.documentElement.dataset.density
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  expect(await page.evaluate(() => (window as { atBody?: string }).atBody)).toBe('compact')
})
