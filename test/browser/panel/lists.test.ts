import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFleet, insertServers } from '../../../bench/src/stage/fleet-rows.ts'
import { lengthOf } from '../../run/lengths.ts'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { csvLines } from '../support/downloads.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

const SERVERS = 130
const ROWS = lengthOf('LODGE_LIST_ROWS')

let lodge: Lodge
let browser: Browser
let page: Page
beforeAll(async () => {
  lodge = await startPanel()
  const { pool } = lodge.database
  const { templateId } = await insertFleet(pool, { nodes: 3 })
  await insertServers(pool, { templateId, from: 0, to: SERVERS })
  await pool.query(
    `update servers set observed_state = 'stopped', desired_power = 'off' where metric_key % 4 = 0`,
  )
  await pool.query(`update server_usage set cpu = key % 90`)
  const { rows } = await pool.query<{ id: string }>(`select id from users where role = 'admin'`)
  browser = await openBrowser(lodge.origin)
  await beOn(browser, lodge.origin, await lodge.session(rows[0]?.id ?? ''))
  page = browser.page
  await page.goto('/servers')
  await page.getByRole('table', { name: 'Servers' }).waitFor()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const box = () => page.getByRole('searchbox', { name: 'Search servers' })
const names = () => page.locator('tbody [data-row] [data-opens]').allInnerTexts()
const open = async (address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('table', { name: 'Servers' }).waitFor()
}
const search = () => new URL(page.url()).searchParams
const heads = async () =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean)

test('the filter box and its chips write the same text, which is kept in the address', async () => {
  await open('/servers')
  await page.getByRole('button', { name: 'Stopped' }).click()
  await expect.poll(() => search().get('q')).toBe('state:stopped')
  await expect.poll(() => box().inputValue()).toBe('state:stopped')
  await page.getByRole('button', { name: 'Running' }).click()
  await expect.poll(() => box().inputValue()).toBe('state:stopped,running')
  await box().fill('state:stopped node:node-000001')
  await page.getByRole('button', { name: 'Node: node-000001' }).waitFor()
  await expect.poll(async () => (await names()).length).toBeLessThan(20)
  await page.reload()
  await page.getByRole('button', { name: 'Node: node-000001', pressed: true }).click()
  await expect.poll(() => search().get('q')).toBe('state:stopped')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const menu = page.getByRole('dialog', { name: 'Filter' })
  await menu.getByRole('button', { name: 'Container' }).click()
  await expect.poll(() => search().get('q')).toBe('state:stopped kind:container')
  await menu.getByRole('button', { name: 'Stopped', pressed: true }).click()
  await expect.poll(() => search().get('q')).toBe('kind:container')
  await expectAccessible(page)
  await picture(page, 'list-filter')
  await page.keyboard.press('Escape')
})

test('an unknown value finds nothing, says so, and can be removed', async () => {
  await page.goto('/servers?q=state:exploded')
  await page.getByText('No servers match “state:exploded”').waitFor()
  await expectAccessible(page)
  await picture(page, 'list-no-results')
  await page.getByRole('button', { name: 'State: exploded' }).click()
  await page.getByRole('table', { name: 'Servers' }).waitFor()
})

test('a column header orders the whole list over all pages, and reverses the order when chosen again', async () => {
  await open('/servers')
  await expect.poll(async () => (await names()).length).toBe(50)
  const byName = await names()
  await page.getByRole('button', { name: 'CPU' }).click()
  await expect.poll(() => search().get('sort')).toBe('-cpu')
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'CPU' }).getAttribute('aria-sort'))
    .toBe('descending')
  await expect.poll(names).not.toEqual(byName)
  const seen = new Set<string>()
  for (;;) {
    await expect.poll(async () => (await names()).some((name) => seen.has(name))).toBe(false)
    for (const name of await names()) seen.add(name)
    const next = page.getByRole('button', { name: 'Next' })
    if ((await next.getAttribute('aria-disabled')) === 'true') break
    await next.click()
  }
  expect(seen.size).toBe(SERVERS)
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect.poll(async () => (await names()).length).toBe(50)
  await page.getByRole('button', { name: 'CPU' }).click()
  await expect.poll(() => search().get('sort')).toBe('cpu')
  expect(search().has('after')).toBe(false)
})

test('chosen columns, their order and a saved view are restored in another window', async () => {
  await open('/servers?q=state:stopped&sort=name')
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: 'Owner' }).check()
  await columns.getByRole('checkbox', { name: 'Memory' }).uncheck()
  await columns.getByRole('button', { name: 'Move Node to the left' }).click()
  await columns.getByRole('button', { name: 'Make State wider' }).click()
  await picture(page, 'list-columns')
  await page.keyboard.press('Escape')
  const arranged = ['Name', 'State', 'CPU', 'Node', 'Address', 'Owner', 'Power']
  expect(await heads()).toEqual(arranged)
  const state = await page.getByRole('columnheader', { name: 'State' }).boundingBox()
  expect(state?.width).toBeGreaterThanOrEqual(168)
  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Views' })
  await views.getByRole('textbox', { name: 'Name of this view' }).fill('Off')
  const saved = page.waitForResponse((response) =>
    Boolean(response.request().postData()?.includes('"name":"Off"')),
  )
  await views.getByRole('button', { name: 'Save view' }).click()
  await saved
  await page.getByRole('button', { name: 'Off' }).waitFor()
  await open('/servers')
  expect(await heads()).toEqual(arranged)
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: 'Off', exact: true }).click()
  await expect.poll(() => search().get('q')).toBe('state:stopped')
  expect(search().get('sort')).toBe('name')
  await page.getByRole('button', { name: 'Off' }).click()
  await views.getByRole('button', { name: 'Delete the view Off' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await columns.getByRole('button', { name: 'Reset columns' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'Memory' }).waitFor()
})

test('j and k move through the rows, x selects, Enter opens, but not while somebody types', async () => {
  await open('/servers?sort=name')
  const [first, second] = await names()
  const focused = () => page.locator('tr:focus [data-opens]').textContent()
  await page.keyboard.press('j')
  expect(await focused()).toBe(first)
  await page.keyboard.press('j')
  expect(await focused()).toBe(second)
  await page.keyboard.press('x')
  await page
    .getByRole('checkbox', { name: `Select ${second}`, exact: true, checked: true })
    .waitFor()
  await page.getByText('1 server selected').waitFor()
  await page.keyboard.press('k')
  await box().focus()
  await page.keyboard.type('jx')
  await expect.poll(() => box().inputValue()).toBe('jx')
  await box().fill('')
  await open('/servers?sort=name')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: first ?? '' }).waitFor()
})

test('a selection gets a result for each server, and only the refused ones are tried again', async () => {
  await open('/servers?q=state:stopped&sort=name')
  const [first, second] = await names()
  for (const name of [first, second])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  const bar = page.getByRole('region', { name: 'Selected servers' })
  await bar.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop 2 servers' }).click()
  await bar.getByText('0 of 2 stopping, 2 refused').waitFor()
  await bar
    .getByRole('listitem')
    .filter({ hasText: first ?? '' })
    .waitFor()
  await expectAccessible(page)
  await picture(page, 'list-selection')
  const retry = bar.getByRole('button', { name: 'Retry these 2' })
  await retry.click()
  await bar.getByText('0 of 2 stopping, 2 refused').waitFor()
  await bar.getByRole('button', { name: 'Clear' }).click()
  await bar.waitFor({ state: 'detached' })
})

test('CSV has the whole filtered list, not only the page', async () => {
  await open('/servers?q=state:running')
  const lines = await csvLines(page, () => page.getByRole('link', { name: 'CSV' }).click())
  expect(lines.length - 1).toBe(SERVERS - Math.floor(SERVERS / 4))
})

test('the actions of a row are a menu that the keyboard and a phone reach', async () => {
  await open('/servers?sort=name')
  const [first] = await names()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: `Actions for ${first}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Open console' }).waitFor()
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await picture(page, 'list')
})

/** Makes a row as wide as rows get: a long owner, and a disconnected node. */
async function widenRows(): Promise<void> {
  const { pool } = lodge.database
  await pool.query(`update nodes set last_seen_at = now() - interval '1 hour'
    where name = 'node-000002'`)
  await pool.query(`update users set email = 'accounts-payable.' || email where role = 'customer'`)
}

test('at 1280 the list has room for all its columns, and on a phone for several servers', async () => {
  await widenRows()
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('/servers?q=state:unknown&sort=name')
  const room = await page.getByRole('table', { name: 'Servers' }).evaluate((table) => ({
    table: table.scrollWidth,
    list: table.parentElement?.clientWidth,
  }))
  expect(room.table).toBeLessThanOrEqual(room.list ?? 0)
  await page.setViewportSize({ width: 390, height: 844 })
  const heights = async () =>
    Promise.all(
      (await page.locator('tbody [data-row]').all())
        .slice(0, 4)
        .map(async (row) => (await row.boundingBox())?.height ?? 0),
    )
  // An unknown state shows when it was last known, on lines of its own.
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(160)
  const cut = await page.locator('tbody [data-row]').evaluateAll((rows) =>
    rows
      .flatMap((row) => [row, ...row.querySelectorAll('code')])
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent),
  )
  expect(cut).toEqual([])
  await open('/servers?q=state:running&sort=name')
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(136)
  const card = page.locator('tbody [data-row]').first()
  for (const shown of ['Running', /:\d+/, /of 100%/, /of 1 GiB/, 'Bench'])
    await card.getByText(shown).first().waitFor()
  await expectAccessible(page)
  await open('/servers?sort=name')
  await picture(page, 'list-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })
})

/** The longest computation of the page for one of these interactions, in milliseconds. */
async function slowest(interactions: readonly (() => Promise<void>)[]): Promise<number> {
  const line = await page.context().newCDPSession(page)
  // CPU time, so that other programs on this machine do not count.
  await line.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await line.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  let most = 0
  for (const interact of interactions) {
    const before = await spent()
    await interact()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    most = Math.max(most, (await spent()) - before)
  }
  await line.detach()
  return most
}

test(`of ${ROWS} rows only those near the viewport are in the DOM, and the page responds immediately`, async () => {
  // One page of so many exceeds what the server returns; the panel must cope with any number.
  await page.addInitScript((rows) => {
    const real = fetch
    globalThis.fetch = async (input, init) => {
      const response = await real(input, init)
      if (!String(input).startsWith('/api/servers?')) return response
      const { items } = await response.json()
      const many = Array.from({ length: rows }, (_, at) => ({
        ...items[at % items.length],
        id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
        name: `server-${at}`,
      }))
      return Response.json({ items: many, nextCursor: null })
    }
  }, ROWS)
  await open('/servers')
  await expect
    .poll(() => page.getByRole('table', { name: 'Servers' }).getAttribute('aria-rowcount'))
    .toBe(String(ROWS + 1))
  await expect.poll(() => page.locator('tbody [data-row]').count()).toBeLessThan(80)
  await page.mouse.wheel(0, ROWS * 4)
  await expect.poll(async () => (await names()).includes('server-0')).toBe(false)
  const press = (key: string) => () => page.keyboard.press(key)
  const here = await slowest(['j', 'j', 'j', 'x'].map(press))
  const [above] = await names()
  await page.mouse.wheel(0, ROWS)
  await expect.poll(async () => (await names()).includes(above ?? '')).toBe(false)
  const below = await slowest(['j', 'j', 'x'].map(press))
  expect(Math.max(here, below)).toBeLessThanOrEqual(200)
  const to = (top: number) => async () => {
    const [before] = await names()
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), top)
    await expect.poll(async () => (await names()).includes(before ?? '')).toBe(false)
  }
  expect(await slowest([9, 13, 22].map((share) => to(ROWS * share)))).toBeLessThanOrEqual(200)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.getByRole('link', { name: `server-${ROWS - 1}`, exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})

test('jobs are filtered by all, open or failed, which is kept in the address', async () => {
  await lodge.database.pool.query(
    `insert into jobs (id, kind, title, state, input, steps, failure, ended_at) values
       (uuidv7(), 'server.power', 'Start the lobby', 'failed', '{}', '[]',
         '{"code":"node_offline","detail":"The node is not connected"}', now()),
       (uuidv7(), 'server.power', 'Stop the arena', 'done', '{}', '[]', null, now())`,
  )
  await page.goto('/jobs')
  await page.getByText('Stop the arena').waitFor()
  await page.getByText('Start the lobby').waitFor()
  await page.getByRole('radio', { name: 'Failed' }).check({ force: true })
  await page.getByText('Stop the arena').waitFor({ state: 'detached' })
  await page.getByText('Start the lobby').waitFor()
  await expectAccessible(page)
  await picture(page, 'jobs-failed')
  await page.reload()
  await page.getByText('Start the lobby').waitFor()
  await page.getByRole('radio', { name: 'Open' }).check({ force: true })
  await page.getByText('Nothing is running').waitFor()
  expect(search().get('show')).toBe('open')
})

test('nodes are filtered, ordered and saved as CSV, and more than one page of them is listed', {
  tags: 'long',
}, async () => {
  const { pool } = lodge.database
  await pool.query(
    `insert into nodes select made.* from (select nodes from nodes order by name limit 1) n,
       generate_series(1, 110) i,
       jsonb_populate_record(n.nodes, jsonb_build_object(
         'id', uuidv7(), 'name', 'spare-' || lpad(i::text, 3, '0'), 'location', 'Spare',
         'session_id', null, 'credential_hash', null, 'local', false,
         'allocated_memory_mb', 0, 'allocated_cpu_percent', 0, 'allocated_disk_mb', 0,
         'allocated_servers', 0)) made`,
  )
  await page.goto('/admin/nodes')
  await page.getByRole('table', { name: 'Nodes' }).waitFor()
  await expect.poll(async () => (await names()).length).toBe(113)
  await expectAccessible(page)
  await picture(page, 'nodes-list')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(() => search().get('sort')).toBe('name')
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('location:spare name:*-11*')
  await expect.poll(names).toEqual(['spare-110'])
  const lines = await csvLines(page, () => page.getByRole('button', { name: 'CSV' }).click())
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('spare-110,Spare')
  await page.getByRole('searchbox', { name: 'Search nodes' }).fill('name:nowhere')
  await page.getByText('No nodes match “name:nowhere”').waitFor()
})

test('a column chosen while the account is being fetched stays chosen', async () => {
  const other = await browser.context.newPage()
  await other.clock.install()
  await other.goto('/servers')
  await other.getByRole('table', { name: 'Servers' }).waitFor()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await other.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  const asked = other.waitForRequest('**/api/auth/me')
  await other.clock.fastForward(61_000)
  // The account is fetched again, as after a change of network.
  await other.evaluate(() => {
    for (const kind of ['offline', 'online']) window.dispatchEvent(new Event(kind))
  })
  await asked
  await other.getByRole('button', { name: 'Columns' }).click()
  const owner = other.getByRole('checkbox', { name: 'Owner' })
  await owner.check()
  // It is saved a moment after the older response, which must change nothing until then.
  const shown: boolean[] = []
  await other.route('**/api/auth/preferences', async (route) => {
    shown.push(await owner.isChecked())
    await route.continue()
  })
  release()
  await expect.poll(() => shown).toEqual([true])
})
