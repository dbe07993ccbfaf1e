import { afterAll, beforeAll, test } from 'vitest'
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

test('every screen of an administrator is readable, light on a desk and dark on a phone', {
  timeout: 180_000,
}, async () => {
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
