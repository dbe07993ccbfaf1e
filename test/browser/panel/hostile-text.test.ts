import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScreen } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

/** Runs wherever text becomes markup, an attribute or an address; `shown` finds it as text. */
const PAYLOAD = `shown"'><img src=x onerror="pwned()"><script>pwned()</script><a href="javascript:pwned()">{{7*7}}`
const TERMINAL = [
  '\u001b]8;;javascript:pwned()\u0007a link\u001b]8;;\u0007',
  '\u001b]52;c;cHduZWQ=\u0007',
  '\u001b]0;pwned title\u0007',
  PAYLOAD,
  'ready',
]

let stage: Stage
let browser: Browser
const dialogs: string[] = []

beforeAll(async () => {
  stage = await openStage()
  stage.agent.driver.knobs.output = TERMINAL
  browser = await openBrowser(stage.lodge.origin)
  const { context } = browser
  // The page reports violations of its content security policy to the console.
  await context.addInitScript(() => {
    const page = window as unknown as { attacks: string[]; pwned: () => void }
    page.attacks = []
    page.pwned = () => page.attacks.push('a script ran')
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      page.attacks.push(`${effectiveDirective} ${blockedURI}`),
    )
  })
  browser.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

/**
 * The API's own words: states, ids, times, numbers, addresses. Everything else may come from a
 * person.
 */
const OWN_WORDS = /^([a-z][\w.:-]*|[A-Z]+|\d[\w:.-]*|[0-9a-f-]{36}|GET .*|[+/].*|#[0-9a-f]+)?$/

function poisoned(value: unknown): unknown {
  if (typeof value === 'string') return OWN_WORDS.test(value) ? value : `${value} ${PAYLOAD}`
  if (Array.isArray(value)) return value.map(poisoned)
  if (typeof value !== 'object' || value === null) return value
  // The control plane creates HTML and lets nothing hostile through (render.test.ts).
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === 'html' ? one : poisoned(one)]),
  )
}

/** Replaces every text in responses that a person could have written. */
async function poisonAnswers(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET' || route.request().url().includes('/api/events'))
      return route.continue()
    const response = await route.fetch()
    const type = response.headers()['content-type'] ?? ''
    if (!type.startsWith('application/json')) return route.fulfill({ response })
    return route.fulfill({ response, json: poisoned(await response.json()) })
  })
}

/** Navigates as a link does: loading the whole panel each time would take most of the test. */
async function followTo(page: Page, path: string): Promise<void> {
  const before = await page.title()
  await page.evaluate((to) => history.pushState({}, '', to), path)
  await expect.poll(() => page.title()).not.toBe(before)
}

async function expectHarmless(page: Page, where: string): Promise<void> {
  const attacks = await page.evaluate(() => (window as unknown as { attacks: string[] }).attacks)
  expect(attacks, where).toEqual([])
  const made = page.locator('img[src="x"], script:text("pwned"), a[href^="javascript:"]')
  expect(await made.count(), where).toBe(0)
  expect(dialogs, where).toEqual([])
}

test('C12: every text of a response stays text on every page of an administrator', async () => {
  const { page } = browser
  const screens = await everyScreen(stage)
  await beOn(browser, stage.lodge.origin, stage.admin)
  await poisonAnswers(page)
  let showing = 0
  await page.goto('/')
  for (const { path } of screens) {
    await followTo(page, path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    if (await page.getByText('{{7*7}}').first().isVisible()) showing += 1
    await expectHarmless(page, path)
  }
  await page.unroute('**/api/**')
  // Empty lists and new forms contain no such text; the others must show it.
  expect(showing).toBeGreaterThan(screens.length / 3)
})

test('C12: output of a server can neither run, nor link, nor write to the clipboard or the title', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  const id = stage.servers.running
  await page.goto(`/servers/${id}/console`)
  await stage.admin.must('POST /api/servers/{id}/actions', {
    params: { id },
    body: { action: 'restart' },
  })
  await page.locator('.xterm-rows').getByText('pwned()').first().waitFor()
  const link = await page.locator('.xterm-rows').getByText('a link').first().boundingBox()
  await page.mouse.click((link?.x ?? 0) + 4, (link?.y ?? 0) + 4)
  await expectHarmless(page, 'console')
  expect(await page.title()).not.toContain('pwned')
  expect(page.context().pages()).toHaveLength(1)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toBe('pwned')
})
