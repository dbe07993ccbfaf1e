import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
const requested: URL[] = []

beforeAll(async () => {
  lodge = await startPanel()
  browser = await openBrowser(lodge.origin)
  browser.page.on('request', (request) => requested.push(new URL(request.url())))
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

test('the panel links to an API reference in groups, without requests to third parties and without advertisements', async () => {
  const { page } = browser
  await beOn(browser, lodge.origin, await lodge.admin())
  await page.goto('/admin/tokens')
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'API reference' }).click()
  const reference = await opening
  const faults: string[] = []
  reference.on('pageerror', ({ message }) => faults.push(message))
  reference.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  reference.on('request', (request) => requested.push(new URL(request.url())))
  await reference.reload()
  await reference.getByRole('heading', { level: 1, name: 'Panel API' }).waitFor()

  for (const group of ['Servers', 'Virtual machines', 'Account', 'Administration'])
    await reference.getByRole('button', { name: `Group - ${group}` }).waitFor()
  await reference.getByRole('button', { name: 'Open Group - Nodes' }).click()
  await reference.locator('a[href="#tag/nodes/POST/api/nodes"]').first().click()
  await reference.getByRole('heading', { level: 3 }).first().waitFor()

  expect(await reference.locator('a[href*="scalar.com"]:visible').count()).toBe(0)
  for (const words of ['Generate MCP', 'Developer Tools', 'Powered by Scalar'])
    expect(await reference.getByText(words).filter({ visible: true }).count(), words).toBe(0)
  expect([
    ...new Set(
      requested.filter(({ protocol }) => protocol.startsWith('http')).map(({ origin }) => origin),
    ),
  ]).toEqual([lodge.origin])
  expect([...browser.faults, ...faults]).toEqual([])
})
