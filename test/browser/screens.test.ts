import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { type Browser, expectAccessible, openBrowser, picture } from './browser.ts'
import { openStage, type Stage } from './stage.ts'

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

/** The pages of the panel as this person sees them from now on. */
async function signIn(person: Caller): Promise<void> {
  await browser.context.clearCookies()
  await browser.context.addCookies([
    { name: 'panel_session', value: person.cookie ?? '', url: stage.lodge.origin },
  ])
}

/** Opens a page, waits until it has loaded, and holds it against the rules as it looks on a desk and on a phone. */
async function expectScreen(name: string, path: string): Promise<void> {
  const { page } = browser
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  await picture(page, name)
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    await expectAccessible(page)
  }
  expect(browser.faults, path).toEqual([])
}

test('every screen of an administrator is readable, light on a desk and dark on a phone', {
  timeout: 180_000,
}, async () => {
  await signIn(stage.admin)
  const { running, broken, silent, suspended } = stage.servers
  for (const [name, path] of [
    ['servers', '/servers'],
    ['no-such-server', '/servers?q=nothing'],
    ['new-server', '/servers/new'],
    ['running', `/servers/${running}`],
    ['running-console', `/servers/${running}/console`],
    ['running-network', `/servers/${running}/network`],
    ['running-startup', `/servers/${running}/startup`],
    ['running-metrics', `/servers/${running}/metrics`],
    ['broken-crashes', `/servers/${broken}/crashes`],
    ['broken-console', `/servers/${broken}/console`],
    ['running-settings', `/servers/${running}/settings`],
    ['silent', `/servers/${silent}`],
    ['suspended', `/servers/${suspended}`],
    ['overview', '/admin'],
    ['nodes', '/admin/nodes'],
    ['new-node', '/admin/nodes/new'],
    ['node', `/admin/nodes/${stage.node.id}`],
    ['templates', '/admin/templates'],
    ['template', `/admin/templates/${stage.templateId}`],
    ['new-template', '/admin/templates/new'],
    ['jobs', '/jobs'],
  ] as const)
    await expectScreen(`admin-${name}`, path)
})

test('every screen of a customer is readable, light on a desk and dark on a phone', async () => {
  await signIn(stage.customer)
  const { running, broken } = stage.servers
  for (const [name, path] of [
    ['servers', '/servers'],
    ['new-server', '/servers/new'],
    ['running', `/servers/${running}`],
    ['running-settings', `/servers/${running}/settings`],
    ['broken-console', `/servers/${broken}/console`],
    ['jobs', '/jobs'],
  ] as const)
    await expectScreen(`customer-${name}`, path)
})
