import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

const run = promisify(execFile)
const NAME = 'Under the hill'

let stage: Stage
let browser: Browser
let page: Page

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  page = browser.page
})

beforeEach(() => beOn(browser, stage.lodge.origin, stage.admin))

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const statusOf = async (id: string) =>
  (await stage.admin.must('GET /api/servers/{id}', { params: { id } })).status

const palette = () => page.getByRole('dialog', { name: 'Search and commands' })
const crumbs = () => page.getByRole('navigation', { name: 'Breadcrumbs' })

/** Opens the palette and types; resolves when this command is the one that Enter runs. */
async function ask(text: string, expected: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await palette().getByRole('combobox').fill(text)
  await palette().getByRole('option', { name: expected, selected: true }).waitFor()
}

test('the panel renders its frame, then the page, then the rows; later all of them together', async () => {
  const fresh = await page.context().newPage()
  await fresh.addInitScript(() => {
    const drawn: string[] = []
    Object.assign(window, { drawn })
    const look = () => {
      const now = document.querySelector('table[aria-label="Servers"] tr[data-row]')
        ? 'rows'
        : document.querySelector('main h1')?.textContent?.trim() === 'Servers'
          ? 'page'
          : document.querySelector('main')
            ? 'frame'
            : 'nothing'
      if (now !== drawn.at(-1)) drawn.push(now)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  })
  await fresh.goto('/servers')
  await fresh.getByRole('link', { name: NAME }).first().click()
  await fresh.getByRole('heading', { level: 1, name: NAME }).waitFor()
  await fresh.goBack()
  await fresh.getByRole('table', { name: 'Servers' }).waitFor()
  const drawn = await fresh.evaluate(() => (window as unknown as { drawn: string[] }).drawn)
  await fresh.close()
  expect(drawn).toEqual(['nothing', 'frame', 'page', 'rows', 'frame', 'rows'])
})

test('frame and list are fetched in parallel with the code of the panel, and the list only once', async () => {
  const fresh = await page.context().newPage()
  const lists: string[] = []
  fresh.on('request', (request) => {
    if (request.url().includes('/api/servers?')) lists.push(request.url())
  })
  const early = ['**/api/servers?*', '**/assets/shell-*.js', '**/assets/servers-page-*.js'].map(
    (address) => fresh.waitForRequest(address),
  )
  await fresh.route('**/assets/index-*.js', async (route) => {
    await Promise.all(early)
    await route.continue()
  })
  await fresh.goto('/servers')
  await fresh.getByRole('row').getByRole('link', { name: NAME }).waitFor()
  await fresh.close()
  expect(lists).toHaveLength(1)
})

test('the palette accepts typed text while it loads and renders', async () => {
  const early = 'stop under'
  const late = ' the hill, which is where most of the hobbits of the shire live'
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loading = Promise.withResolvers<void>()
  await page.route(/\/assets\/palette-.*\.js$/, async (route) => {
    await loading.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type(early)
  const devices = await page.context().newCDPSession(page)
  await devices.send('Emulation.setCPUThrottlingRate', { rate: 20 })
  loading.resolve()
  await page.keyboard.type(late)
  await devices.detach()
  await palette().getByRole('combobox').waitFor()
  await page.unroute(/\/assets\/palette-.*\.js$/)
  await expect.poll(() => palette().getByRole('combobox').inputValue()).toBe(early + late)
  await page.keyboard.press('Escape')
})

test.each<[what: string, open: () => Promise<void>]>([
  ['the palette', () => page.keyboard.press('Control+k')],
  ['the sheet of shortcuts', () => page.keyboard.type('?')],
  ['the list of jobs', () => page.getByRole('button', { name: 'Jobs' }).press('Enter')],
  [
    'the last changes as curl',
    async () => {
      await page.getByRole('button', { name: 'Help' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Last changes as curl…' }).press('Enter')
    },
  ],
  [
    'the columns of a list',
    () => page.getByRole('button', { name: 'Columns', exact: true }).press('Enter'),
  ],
])('the page works without %s, which does not load', async (_what, open) => {
  await page.goto('/servers')
  const search = page.getByRole('searchbox', { name: 'Search servers' })
  await search.waitFor()
  await page.route('**/assets/**', (route) => route.abort())
  await open()
  const told = page.getByRole('alert').filter({ hasText: 'Could not load this part of the panel' })
  await told.waitFor()
  await page.unroute('**/assets/**')
  await told.getByRole('button', { name: 'Close' }).press('Enter')
  await search.press('h')
  await page.keyboard.type('ill')
  await expect.poll(() => search.inputValue()).toBe('hill')
  await search.blur()
  await open()
  await page.locator('dialog[open], [role="dialog"]:visible').first().waitFor()
  expect(browser.faults).toEqual([])
})

test('the palette stops a server: it asks first, and shows the result', async () => {
  const id = stage.servers.running
  await page.goto('/admin')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await ask('stop under', `Stop ${NAME}`)
  await picture(page, 'palette')
  await expectAccessible(page, 'dialog[open]')
  await page.keyboard.press('Enter')
  await palette().getByText('Everybody who is connected to it is disconnected.').waitFor()
  expect(await statusOf(id)).toBe('running')
  await page.keyboard.press('Enter')
  await palette().getByText(`${NAME} is stopping.`).waitFor()
  await expectAccessible(page, 'dialog[open]')
  await until(async () => (await statusOf(id)) === 'stopped')
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'hidden' })
})

test('a command shown as curl has the same effect in a shell', async () => {
  const id = stage.servers.running
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  await ask('start under', `Start ${NAME}`)
  await page.keyboard.press('Control+Enter')
  const box = palette().getByRole('region', { name: 'curl command' })
  const command = (await box.textContent()) ?? ''
  await picture(page, 'palette-curl')
  const { stdout } = await run('sh', ['-c', command], {
    env: { PATH: process.env.PATH, LODGE_SESSION: stage.admin.cookie },
  })
  expect(JSON.parse(stdout)).toMatchObject({ jobId: expect.any(String) })
  await until(async () => (await statusOf(id)) === 'running')
  await page.keyboard.press('Escape')
})

test('changes made in this tab are listed as curl, without their secrets', {
  tags: 'long',
}, async () => {
  await page.goto(`/servers/${stage.servers.running}`)
  await page.getByRole('button', { name: 'Kill', exact: true }).click()
  const kill = page.getByRole('dialog', { name: `Kill ${NAME}` })
  await kill.getByRole('button', { name: 'Show as curl' }).click()
  await kill.getByText('"action":"kill"').first().waitFor()
  await kill.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/account/security')
  await page.getByLabel('Current password', { exact: true }).fill('not the password at all')
  await page.getByLabel('New password', { exact: true }).fill('another long password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'Last changes as curl…' }).click()
  const changes = page.getByRole('dialog', { name: 'Last changes as curl' })
  const text = (await changes.getByRole('region').first().textContent()) ?? ''
  expect(text).toContain('/api/auth/password')
  expect(text).toContain('<newPassword>')
  expect(text).not.toContain('another long password')
  await expectAccessible(page, '[role="dialog"]')
})

test('the palette lists recently opened pages, and finds settings by topic', {
  tags: 'long',
}, async () => {
  await page.goto(`/admin/nodes/${stage.node.id}`)
  await page.getByRole('heading', { level: 1, name: /falkenstein-1/ }).waitFor()
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  await page.keyboard.press('Control+k')
  const recent = palette().getByRole('group', { name: 'Recent' })
  await recent.getByRole('option', { name: /falkenstein-1/ }).waitFor()
  await palette().getByRole('combobox').fill('allow-list')
  await palette()
    .getByRole('option', { name: /Addresses and networks/ })
    .click()
  await page.waitForURL('**/admin/settings/security')
})

test('breadcrumbs show where a page is, and lead to its parents', async () => {
  await page.goto(`/servers/${stage.servers.running}/console`)
  await crumbs().getByText('Console').waitFor()
  await expect
    .poll(() => crumbs().getByRole('listitem').allTextContents())
    .toEqual(['Administration', 'Servers', NAME, 'Console'])
  await expect
    .poll(() => crumbs().locator('[aria-current="page"]').allTextContents())
    .toEqual(['Console'])
  await crumbs().getByRole('link', { name: NAME }).click()
  await page.waitForURL(`**/servers/${stage.servers.running}`)
  await page.goto('/admin/nodes/new')
  await crumbs().getByRole('link', { name: 'Nodes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Nodes' }).waitFor()
  await page.goto('/admin/pending')
  await page.getByRole('heading', { level: 1, name: 'Pending sign-ups' }).waitFor()
  expect(await crumbs().getByRole('listitem').allTextContents()).toEqual([
    'Administration',
    'Pending',
  ])
})

test('an administrator switches to their own servers, and sees which side is open', async () => {
  await page.goto('/admin')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Nodes' }).waitFor()
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitemradio', { name: 'Administration', checked: true }).waitFor()
  await page.getByRole('menuitemradio', { name: 'My servers' }).click()
  await page.waitForURL('**/servers?q=whose*mine')
  await crumbs().getByText('My servers', { exact: true }).waitFor()
  await expect
    .poll(() => navigation.getByRole('link').allTextContents())
    .toEqual(['Servers', 'Jobs', 'Billing', 'Support', 'Help center', 'Account'])
  await page.getByRole('button', { name: 'Whose: Mine', pressed: true }).waitFor()
  await page.getByText('You own no servers').waitFor()
  expect(await page.getByText(NAME).count()).toBe(0)
  await page.keyboard.type('gj')
  await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  await page.keyboard.type('gs')
  await page.waitForURL('**/servers?q=whose*mine')
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitemradio', { name: 'Administration' }).click()
  await navigation.getByRole('link', { name: 'Nodes' }).waitFor()
})

test('a group of the navigation stays collapsed, unless it contains the open page', async () => {
  await page.goto('/admin')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: 'Catalogue' }).click()
  await navigation.getByRole('link', { name: 'Plans' }).waitFor({ state: 'hidden' })
  await page.reload()
  await navigation.getByRole('link', { name: 'Customers' }).waitFor()
  expect(await navigation.getByRole('link', { name: 'Plans' }).count()).toBe(0)
  await page.goto('/admin/plans')
  await navigation.getByRole('link', { name: 'Plans' }).waitFor()
  await page.evaluate(() => localStorage.removeItem('lodge.folded'))
})

test('on a phone the first pages are in the bottom bar, and the others behind More', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin')
  const bar = page.getByRole('navigation', { name: 'Most used' })
  await bar.waitFor()
  await expect
    .poll(() => bar.getByRole('link').allTextContents())
    .toEqual(['Overview', 'Servers', 'Nodes', 'Jobs'])
  const box = await bar.boundingBox()
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844)
  for (const entry of await bar.locator('a, button').all())
    expect((await entry.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await page.getByText('All jobs').scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const end = await page.locator('main > *').first().boundingBox()
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1)
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('the reminder of a second factor is postponed until tomorrow', async () => {
  const newcomer = await stage.lodge.limitedAdmin(['servers.view'])
  await beOn(browser, stage.lodge.origin, newcomer)
  await page.goto('/servers')
  const hide = page.getByRole('button', { name: 'Hide until tomorrow' })
  await page.setViewportSize({ width: 390, height: 844 })
  const strip = page.getByRole('status').filter({ has: hide })
  expect((await strip.boundingBox())?.height).toBeLessThan(40)
  const words = strip.getByText('Second factor due')
  expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await strip.getByRole('link', { name: 'Set it up' }).click({ trial: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await hide.click()
  await hide.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  expect(await hide.count()).toBe(0)
  await page.evaluate(() => {
    const key = 'lodge.factor-strip'
    const yesterday = new Date(Date.now() - 86_400_000)
    const day = [yesterday.getFullYear(), yesterday.getMonth(), yesterday.getDate()].join('-')
    localStorage.setItem(key, (localStorage.getItem(key) ?? '').replace(/ .*$/, ` ${day}`))
  })
  await page.reload()
  await hide.waitFor()
})

test('single-key shortcuts open pages, and can be turned off', { tags: 'long' }, async () => {
  await page.goto('/servers')
  await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
  await page.keyboard.type('gn')
  await page.getByRole('heading', { level: 1, name: 'Nodes' }).waitFor()
  await page.keyboard.type('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Go to Servers').waitFor()
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.type('?gs')
  await page.keyboard.press('Control+k')
  await palette().waitFor()
  expect(await sheet.count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/admin/nodes')
  await palette().getByRole('combobox').fill('keyboard')
  await page.keyboard.press('Enter')
  await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
  await page.keyboard.press('Escape')
})

test('the help of a page is the document about it', async () => {
  await page.goto(`/servers/${stage.servers.running}/network`)
  await page.getByRole('button', { name: 'Help' }).click()
  const [help] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Addresses and ports' }).click(),
  ])
  await help.getByRole('heading', { level: 1, name: 'Addresses and ports' }).waitFor()
  await expectAccessible(help)
  const typefaces = await help.evaluate(async () => {
    await document.fonts.ready
    return [...document.fonts].flatMap(({ family, status }) => (status === 'loaded' ? family : []))
  })
  expect(typefaces.join(), 'the typeface that the panel ships').toContain('Geist')
  await help.close()
  expect(browser.faults).toEqual([])
})

test('preferences are one form: name and clock are saved, colours change immediately', async () => {
  const person = await stage.lodge.customer()
  await beOn(browser, stage.lodge.origin, person)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Save preferences' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByText('12 hours', { exact: true }).click()
  await page.getByText('2 changes: Name, Clock').waitFor()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await expect
    .poll(async () => {
      const me = await person.must('GET /api/auth/me')
      return [me.name, me.preferences.clock]
    })
    .toEqual(['Ada Lovelace', '12'])
  await page.getByText('AL', { exact: true }).first().waitFor()
  await picture(page, 'account')
})
