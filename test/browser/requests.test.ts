import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from './browser.ts'
import { openStage, type Stage } from './stage.ts'
import { beOn } from './visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

test('every page asks for each thing once, also while the event stream opens', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  const { running } = stage.servers
  let asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`)
  })
  for (const path of [
    ...['/servers', '/servers/new', '/jobs', '/notifications', '/account', '/account/security'],
    ...['', '/console', '/network', '/startup', '/metrics', '/access', '/settings'].map(
      (tab) => `/servers/${running}${tab}`,
    ),
    ...['', '/nodes', '/templates', '/customers', '/plans', '/tokens', '/audit'].map(
      (part) => `/admin${part}`,
    ),
    ...['/admin/team', '/admin/settings', '/admin/email', `/admin/nodes/${stage.node.id}`],
  ]) {
    asked = []
    const following = page.waitForResponse((response) => response.url().includes('/api/events'))
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await following
    // The first sample, or whatever the page asked for last, comes after all that a reset would cause.
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    await page.evaluate(() => fetch('/api/auth/status'))
    const twice = [...Map.groupBy(asked, (what) => what)].filter(([, all]) => all.length > 1)
    expect(
      twice.map(([what]) => what),
      path,
    ).toEqual([])
  }
})
