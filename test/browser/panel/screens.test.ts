import { SERVER_PRESETS } from '@lodge/shared/server-permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, openBrowser, picture } from '../support/browser.ts'
import { FIRST_VISIT_KIB } from '../support/first-visit.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, expectScreen, openScreen } from '../support/visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

// Every screen once is in every-screen.test.ts; these are other states of some.
test('screens of servers in other states are readable, light on a desktop or dark on a phone', async () => {
  await beOn(browser, stage.lodge.origin, stage.admin)
  const { broken, silent, suspended } = stage.servers
  for (const [name, path] of [
    ['no-such-server', '/servers?q=nothing'],
    ['broken-crashes', `/servers/${broken}/crashes`],
    ['broken-console', `/servers/${broken}/console`],
    ['silent', `/servers/${silent}`],
    ['suspended', `/servers/${suspended}`],
  ] as const)
    await expectScreen(browser, `admin-${name}`, path)
})

test('a first visit to the list of servers loads little that the list does not need', async () => {
  const { context } = browser
  const page = await context.newPage()
  const line = await context.newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  line.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.goto('/servers')
  await page.getByRole('row').nth(1).waitFor()
  const requested = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/assets/')),
  )
  // The heaviest part that a list does not need is the form validation library, with some 25 KB.
  expect(bytes / 1024, requested.join(' ')).toBeLessThanOrEqual(FIRST_VISIT_KIB.list)
  expect(requested.length, requested.join(' ')).toBeLessThan(20)
  expect(new Set(requested).size, requested.join(' ')).toBe(requested.length)
  await page.close()
})

test('a page that is opened later requests all its files immediately, and each of them once', async () => {
  await beOn(browser, stage.lodge.origin, stage.admin)
  const fresh = await browser.context.newPage()
  const asked: string[] = []
  fresh.on('request', (request) => {
    if (request.url().includes('/assets/')) asked.push(request.url())
  })
  await fresh.goto('/servers')
  await fresh.getByRole('row').nth(1).waitFor()
  const other = fresh.waitForRequest(/\/assets\/(?!new-server-page)[^/]+\.js$/)
  await fresh.route('**/assets/new-server-page-*.js', async (route) => {
    await other
    await route.continue()
  })
  await fresh.getByRole('link', { name: 'New server' }).first().click()
  await fresh.getByRole('heading', { level: 1, name: 'New server' }).waitFor()
  await fresh.close()
  expect(asked.filter((one, at) => asked.indexOf(one) !== at)).toEqual([])
})

test('on a phone the current tab is visible, also after rotation, and the page keeps its scroll position', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.setViewportSize({ width: 844, height: 390 })
  await page.goto(`/servers/${stage.servers.running}/settings`)
  const removal = page.getByRole('button', { name: 'Delete server' })
  await removal.scrollIntoViewIfNeeded()
  const below = await page.evaluate(() => window.scrollY)
  expect(below).toBeGreaterThan(0)
  await page.setViewportSize({ width: 390, height: 844 })
  const current = page.getByRole('link', { name: 'Settings', exact: true })
  await expect
    .poll(async () => {
      const box = await current.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 390
    })
    .toBe(true)
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('every screen of a customer is readable, light on a desktop or dark on a phone', async () => {
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

test('the buttons of a row in a list of servers have reserved space, and cause no layout shift', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.setViewportSize({ width: 1280, height: 800 })
  await openScreen(browser, '/servers')
  const row = page.getByRole('row', { name: /Under the hill/ })
  const cells = () =>
    row.getByRole('cell').evaluateAll((all) =>
      all.map((cell) => {
        const { left, right } = cell.getBoundingClientRect()
        return { left, right }
      }),
    )
  const before = await cells()
  await row.getByRole('checkbox').check()
  await row.hover()
  const stop = row.getByRole('button', { name: 'Stop Under the hill' })
  await expect
    .poll(() => stop.evaluate((one) => one.checkVisibility({ opacityProperty: true })))
    .toBe(true)
  expect(await cells()).toEqual(before)
  const { left: room = 0 } = before.at(-1) ?? {}
  expect(before.at(-2)?.right, 'the node stands beside the buttons').toBeLessThanOrEqual(room)
  const buttons = await row.getByRole('cell').last().getByRole('button').all()
  expect(buttons).toHaveLength(3)
  for (const button of buttons) expect((await button.boundingBox())?.x).toBeGreaterThanOrEqual(room)
  await picture(page, 'customer-servers-chosen')
})

test('a collaborator sees forbidden actions disabled, each with the missing permission', async () => {
  const { page } = browser
  const { running } = stage.servers
  const friend = await stage.lodge.customer()
  await stage.lodge.database.pool.query(
    'insert into server_collaborators (server_id, user_id, permissions) values ($1, $2, $3)',
    [running, friend.id, [...(SERVER_PRESETS.viewer ?? []), 'power.stop', 'collaborators.view']],
  )
  await beOn(browser, stage.lodge.origin, friend)
  for (const [path, name, right] of [
    ['', 'Kill', 'power.kill'],
    ['', 'Restart', 'power.restart'],
    ['/console', 'Send', 'console.write'],
    ['/network', 'Add port', 'ports.manage'],
    ['/network', /^Remove port/, 'ports.manage'],
    ['/startup', 'Save changes', 'startup.edit'],
    ['/crashes', 'Save policy', 'crash.edit'],
    ['/schedules', 'New schedule', 'schedules.manage'],
    ['/access', 'Invite somebody', 'collaborators.manage'],
    ['/settings', 'Reinstall', 'settings.reinstall'],
  ] as const) {
    const address = `/servers/${running}${path}`
    if (!page.url().endsWith(address)) await page.goto(address)
    const button = page.getByRole('button', {
      name,
      ...(typeof name === 'string' ? { exact: true } : {}),
    })
    const disabled = button.and(page.locator('[aria-disabled="true"]')).first()
    await disabled.waitFor()
    // Another reason may come first, such as a console that is still connecting, or none in between.
    await until(async () => {
      const reason = await disabled.getAttribute('aria-describedby', { timeout: 1_000 })
      const texts = await page.locator(`[id="${reason}"]`).allTextContents()
      return texts.some((text) => text.includes(`(${right})`))
    }).catch((error: Error) => {
      throw new Error(`${path} ${name} (${right}): ${error.message}`)
    })
  }
  await page
    .getByRole('button', { name: 'Stop', exact: true })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor()
  // A phone has them in the menu of the row.
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/servers')
  await page
    .getByRole('button', { name: 'Restart Under the hill' })
    .and(page.locator('[aria-disabled="true"]'))
    .waitFor()
  await page
    .getByRole('button', { name: 'Stop Under the hill' })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor()
  for (const [name, path] of [
    ['running', `/servers/${running}`],
    ['running-network', `/servers/${running}/network`],
    ['running-settings', `/servers/${running}/settings`],
  ] as const)
    await expectScreen(browser, `friend-${name}`, path)
})

test('a customer creates a server, shares it, deletes it and undoes the deletion', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/servers')
  await page.getByRole('link', { name: 'New server' }).click()
  await page.getByRole('radio', { name: /Minecraft \(Paper\)/ }).press('Space')
  await page.getByRole('textbox', { name: 'Name' }).fill('My own')
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByRole('heading', { level: 1, name: 'My own' }).waitFor()

  await page.getByRole('link', { name: 'Sharing' }).click()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail').fill('friend@example.com')
  await page.getByRole('dialog').locator('summary').click()
  await page.getByRole('checkbox', { name: 'Read files' }).check()
  // All but one folder is closed, and its path is typed with an extra slash.
  await page.getByRole('button', { name: 'Add folder' }).click()
  await page.getByRole('textbox', { name: 'Folder 1' }).fill('/')
  await page.getByRole('button', { name: 'Add folder' }).click()
  await page.getByRole('textbox', { name: 'Folder 2' }).fill('plugins/')
  await page.getByRole('combobox', { name: 'Access to plugins/' }).click()
  await page.getByRole('option', { name: 'As permitted' }).click()
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await page.getByText('No mail was sent').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'friend@example.com', exact: true }).waitFor()
  await page.getByText('not in all folders').waitFor()
  const { rows } = await stage.lodge.database.pool.query(
    `select files from server_invitations where email = 'friend@example.com'`,
  )
  expect(rows.at(-1)).toEqual({
    files: [
      { path: '/', access: 'none' },
      { path: '/plugins', access: 'write' },
    ],
  })

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

test('the history of a server continues after its newest events', async () => {
  const { lodge, admin, servers } = stage
  await lodge.database.pool.query(
    `insert into server_events (id, server_id, kind, at, reason)
     select gen_random_uuid(), $1, 'started', now() - n * interval '1 hour', 'Old start ' || n
     from generate_series(1, 60) n`,
    [servers.stopped],
  )
  await beOn(browser, lodge.origin, admin)
  await openScreen(browser, `/servers/${servers.stopped}/crashes`)
  const { page } = browser
  const oldest = page.getByText('Old start 60', { exact: true })
  expect(await oldest.count()).toBe(0)
  await page.getByRole('button', { name: 'Older events' }).click()
  await oldest.waitFor()
  await page.getByRole('button', { name: 'Older events' }).waitFor({ state: 'detached' })
})
