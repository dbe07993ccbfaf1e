import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { picture, uploadOf } from '../../support/pictures.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  const mark = await admin.send({
    method: 'POST',
    url: '/api/branding/assets',
    ...(await uploadOf([
      ['kind', 'mark'],
      ['file', await picture(64, 64)],
    ])),
  })
  await admin.must('PUT /api/branding', {
    body: {
      branding: {
        ...DEFAULT_BRANDING,
        name: 'Blocky & Sons',
        images: { ...DEFAULT_BRANDING.images, mark: mark.json().sha },
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
})
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
  // Right after the sign-in, the host's logo is the first thing shown.
  await page.evaluate(() => {
    document.documentElement.dataset.inside = ''
  })
  await page.locator('img.first[src^="/api/branding/assets/mark"]').waitFor()
  await page.unroute('**/assets/*.js')
})

test('the sign-in page shows the host’s text, in the host’s colours', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Sign in to Blocky & Sons' }).waitFor()
  await page.getByRole('heading', { name: 'Servers for everybody' }).waitFor()
  expect(await colour()).toBe('#0a7d48')
})

test('an announcement is dismissed permanently, and custom CSS is omitted on request', async () => {
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

test('an announcement reaches a panel that was opened under the default look', async () => {
  const { page } = browser
  await admin.must('POST /api/branding/reset')
  await beOn(browser, lodge.origin, await lodge.customer())
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const announcement = page.getByRole('region', { name: 'Announcement' })
  expect(await announcement.count()).toBe(0)
  const announce = (change: object) =>
    admin.must('PUT /api/branding', {
      body: {
        branding: {
          ...DEFAULT_BRANDING,
          announcement: { ...DEFAULT_BRANDING.announcement, enabled: true, ...change },
        },
      },
    })
  await announce({ text: 'Maintenance tonight' })
  await announcement.getByText('Maintenance tonight').waitFor()
  await announce({ text: 'For us alone', audience: 'administrators' })
  await announcement.waitFor({ state: 'detached' })
})
