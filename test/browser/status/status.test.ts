import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn, expectScreen } from '../support/visit.ts'

let lodge: Lodge
let admin: Caller
let browser: Browser
beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  browser = await openBrowser(lodge.origin)
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

/** Days of recorded minutes with an outage, maintenance and a gap. */
const record = (id: string) =>
  lodge.database.pool.query(
    `insert into status_spans (component_id, "from", until, state)
     select $1, begin, begin + make_interval(mins => minutes), state from (
       select date_trunc('minute', now()) - make_interval(days => days, mins => late) as begin, minutes, state
       from (values (80, 0, 57600, 'operational'), (40, 0, 95, 'outage'), (39, 0, 14400, 'operational'),
         (28, 0, 240, 'maintenance'), (27, 0, 30240, 'operational'), (5, 0, 31, 'partial'),
         (4, 0, 5700, 'operational')) known(days, late, minutes, state)) spans`,
    [id],
  )

test('the operator switches the page on, adds a component and opens an incident', async () => {
  const { page } = browser
  await beOn(browser, lodge.origin, admin)
  await page.goto('/admin/status/settings')
  await page.getByText('The public page is off').waitFor()
  await page.getByRole('switch', { name: 'Switch the public page on' }).check()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByRole('link', { name: 'Open public page' }).waitFor()
  await page.getByRole('link', { name: 'Components' }).click()
  await page.getByRole('button', { name: 'New component' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Game servers, Zurich')
  await page.getByRole('button', { name: 'Save component' }).click()
  await page.getByText('Game servers, Zurich').first().waitFor()
  await page.getByRole('link', { name: 'Incidents' }).click()
  await page.getByRole('button', { name: 'New incident' }).click()
  await page.getByLabel('Title').fill('Some servers are not reachable')
  await page.getByLabel('First update').fill('A switch has failed. We replace it.')
  await page.getByRole('switch', { name: 'Publish at once' }).check()
  await page.getByRole('button', { name: 'Save incident' }).click()
  await page.getByRole('link', { name: 'Some servers are not reachable' }).click()
  await page.getByLabel('What is new').fill('The new switch is here.')
  await page.getByRole('button', { name: 'Post update' }).click()
  await page.getByRole('article').getByText('The new switch is here.').waitFor()
  await expectScreen(browser, 'status-incident', new URL(page.url()).pathname)
})

test('the screens of the operator are readable', async () => {
  await expectScreen(browser, 'status-incidents', '/admin/status')
  await expectScreen(browser, 'status-components', '/admin/status/components')
  await expectScreen(browser, 'status-settings', '/admin/status/settings')
})

test('the public page is readable without an account and without scripts', async () => {
  const { page } = browser
  const { items } = await admin.must('GET /api/status/components')
  for (const { id } of items) await record(id)
  await admin.must('POST /api/status/components', {
    body: { source: 'panel', name: 'Panel and API', description: 'Signing in, changing servers' },
  })
  await beOn(browser, lodge.origin)
  await expect.poll(async () => (await page.goto('/status'))?.text()).toContain('Panel and API')
  expect(await page.locator('script').count()).toBe(0)
  await picture(page, 'status-public')
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await expectAccessible(page)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(width)
  }
  await page.getByText('How uptime is counted').click()
  await page.getByRole('link', { name: 'Some servers are not reachable' }).click()
  await page.getByRole('heading', { level: 1, name: 'Some servers are not reachable' }).waitFor()
  await expectAccessible(page)
  const feed = await lodge.anonymous().send({ method: 'GET', url: '/status/feed.atom' })
  const parsed = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, 'application/xml')
    const of = (within: Document | Element, name: string) =>
      within.getElementsByTagNameNS('http://www.w3.org/2005/Atom', name)[0]?.textContent ?? ''
    return {
      faults: document.getElementsByTagName('parsererror').length,
      head: ['id', 'title', 'updated'].map((name) => of(document, name) !== ''),
      entries: [...document.getElementsByTagName('entry')].map((entry) => ({
        title: of(entry, 'title'),
        isNamed: /^urn:uuid:[\da-f-]{36}$/.test(of(entry, 'id')),
        isDated: !Number.isNaN(Date.parse(of(entry, 'updated'))),
      })),
    }
  }, feed.body)
  const entry = {
    title: 'Investigating: Some servers are not reachable',
    isNamed: true,
    isDated: true,
  }
  expect(parsed).toEqual({ faults: 0, head: [true, true, true], entries: [entry, entry] })
})
