import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from './browser.ts'
import { openStage, type Stage } from './stage.ts'
import { beOn, expectScreen } from './visit.ts'

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

test('every screen of an administrator is readable, light on a desk and dark on a phone', async () => {
  await beOn(browser, stage.lodge.origin, stage.admin)
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
    ['running-sharing', `/servers/${running}/access`],
    ['running-settings', `/servers/${running}/settings`],
    ['console-window', `/windows/console/${running}`],
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
    await expectScreen(browser, `admin-${name}`, path)
})

test('every screen of a customer is readable, light on a desk and dark on a phone', async () => {
  await beOn(browser, stage.lodge.origin, stage.customer)
  const { running, broken } = stage.servers
  for (const [name, path] of [
    ['servers', '/servers'],
    ['new-server', '/servers/new'],
    ['running', `/servers/${running}`],
    ['running-settings', `/servers/${running}/settings`],
    ['broken-console', `/servers/${broken}/console`],
    ['jobs', '/jobs'],
  ] as const)
    await expectScreen(browser, `customer-${name}`, path)
})

test('a customer creates a server, shares it, deletes it and takes the deletion back', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto('/servers')
  await page.getByRole('link', { name: 'New server' }).click()
  await page.getByRole('radio', { name: /Minecraft \(Paper\)/ }).press('Space')
  await page.getByRole('textbox', { name: 'Name' }).fill('My own')
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByRole('heading', { level: 1, name: 'My own' }).waitFor()

  await page.getByRole('link', { name: 'Sharing' }).click()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail').fill('friend@example.com')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByRole('cell', { name: 'friend@example.com', exact: true }).waitFor()

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Delete server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('My own')
  await dialog.getByRole('button', { name: 'Delete server' }).click()
  await page.getByText('This server will be deleted').waitFor()
  await page.getByRole('button', { name: 'Restore' }).first().click()
  await page.getByText('This server will be deleted').waitFor({ state: 'detached' })
  expect(browser.faults).toEqual([])
})
