import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
beforeAll(async () => {
  lodge = await startPanel()
  const admin = await lodge.admin()
  await admin.must('PUT /api/branding', {
    body: {
      branding: {
        ...DEFAULT_BRANDING,
        name: 'Blocky & Sons',
        colors: { accent: '#0a7d48', second: '#e0632b' },
        login: { title: 'Servers for everybody', text: '' },
        announcement: {
          ...DEFAULT_BRANDING.announcement,
          enabled: true,
          text: 'Maintenance on Sunday',
        },
        customCss: '.lodge-header { border-bottom-width: 7px }',
      },
    },
  })
  browser = await openBrowser(lodge.origin)
}, 120_000)
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const colour = () =>
  browser.page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--l-accent').trim(),
  )

test('a page has the name and colours of the host before any code runs', async () => {
  const { page } = browser
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/login', { waitUntil: 'domcontentloaded' })
  await expect.poll(() => page.title()).toBe('Blocky & Sons')
  expect(await colour()).toBe('#0a7d48')
  await page.unroute('**/assets/*.js')
})

test('the sign-in page says what the host says, in their colours', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Sign in to Blocky & Sons' }).waitFor()
  await page.getByRole('heading', { name: 'Servers for everybody' }).waitFor()
  expect(await colour()).toBe('#0a7d48')
})

test('an announcement is put away for good, and custom CSS is left out on request', async () => {
  const { page } = browser
  await beOn(browser, lodge.origin, await lodge.customer())
  await page.goto('/servers')
  const announcement = page.getByRole('region', { name: 'Announcement' })
  await announcement.getByText('Maintenance on Sunday').waitFor()
  await page.getByRole('button', { name: 'Hide the announcement' }).click()
  await announcement.waitFor({ state: 'detached' })
  const border = () =>
    page.locator('.lodge-header').evaluate((header) => getComputedStyle(header).borderBottomWidth)
  expect(await border()).toBe('7px')
  await page.goto('/servers?safe=1')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await border()).not.toBe('7px')
  expect(await announcement.count()).toBe(0)
})
