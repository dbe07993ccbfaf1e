import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn } from '../support/visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  browser = await openBrowser(stage.lodge.origin)
  await history()
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

/** The running server has metrics of the last hour, with a stop of ten minutes and a restart. */
async function history(): Promise<void> {
  const { pool } = stage.lodge.database
  const id = stage.servers.running
  await pool.query(
    `insert into server_samples (key, at, cpu, memory, rx, tx, disk)
     select metric_key, at, 40 + 30 * sin(extract(epoch from at) / 300), 4e8 + 1e8 * cos(extract(epoch from at) / 500),
       2000 + 1500 * sin(extract(epoch from at) / 200), 9000 + 5000 * cos(extract(epoch from at) / 400), 1e9
     from servers, generate_series(now() - interval '55 minutes', now() - interval '1 minute', interval '15 seconds') as at
     where id = $1 and at not between now() - interval '30 minutes' and now() - interval '20 minutes'`,
    [id],
  )
  await pool.query(`update servers set created_at = now() - interval '2 days' where id = $1`, [id])
  await pool.query(
    `insert into server_events (id, server_id, kind, at, reason) values
       (gen_random_uuid(), $1, 'started', now() - interval '56 minutes', 'The server is up'),
       (gen_random_uuid(), $1, 'crashed', now() - interval '30 minutes', 'It ended by itself'),
       (gen_random_uuid(), $1, 'restarted', now() - interval '20 minutes', 'The server is up')`,
    [id],
  )
}

/** Chooses the last 30 days: the charts span them, with values of two hours each. */
async function lastThirtyDays(): Promise<void> {
  const { page } = browser
  const answered = page.waitForResponse((response) => response.url().includes('range=month'))
  await page.getByRole('radio', { name: '30 days' }).check({ force: true })
  expect(await (await answered).json()).toMatchObject({ range: 'month', stepSeconds: 7200 })
  await page.waitForURL(/range=month/)
  const memory = page.getByRole('slider', { name: 'Memory over time' })
  const span = async () =>
    Number(await memory.getAttribute('aria-valuemax')) -
    Number(await memory.getAttribute('aria-valuemin'))
  await expect.poll(span).toBe(30 * 86_400)
}

test('metrics are read, zoomed and exported with the keyboard alone', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto(`/servers/${stage.servers.running}/metrics`)
  const cpu = page.getByRole('slider', { name: 'CPU over time' })
  const memory = page.getByRole('slider', { name: 'Memory over time' })
  await cpu.waitFor()

  // All panels share the crosshair, and each shows its own value.
  await cpu.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => cpu.getAttribute('aria-valuetext')).toMatch(/, CPU \d+(\.\d)?%$/)
  await expect.poll(() => memory.getAttribute('aria-valuetext')).toMatch(/, Memory \d+(\.\d)? MiB$/)
  const first = await cpu.getAttribute('aria-valuenow')
  await expect.poll(() => memory.getAttribute('aria-valuenow')).toBe(first)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => memory.getAttribute('aria-valuenow')).not.toBe(first)

  // A selection by Shift and Enter is the new range, which is kept in the address.
  for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+PageUp')
  await page.getByText('press Enter to zoom in').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/from=.*to=/)
  const length = async () =>
    Number(await cpu.getAttribute('aria-valuemax')) -
    Number(await cpu.getAttribute('aria-valuemin'))
  expect(await length()).toBeLessThan(900)
  await page.reload()
  await cpu.waitFor()
  expect(await length()).toBeLessThan(900)

  // The download contains what is shown.
  const download = page.getByRole('button', { name: 'Download CSV' })
  await download.focus()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toMatch(/^under-the-hill-metrics-.*\.csv$/)
  const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(head).toMatch(/^Time,CPU \(%\),"CPU, peak \(%\)",Memory \(bytes\)/)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.length).toBeLessThan(70)
  expect(rows[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z,\d/)

  await cpu.focus()
  await page.keyboard.press('0')
  await expect.poll(length).toBe(3600)
  expect(page.url()).not.toContain('from=')
  expect(browser.faults).toEqual([])
})

test('events are shown at their time with the reason, and a table lists the numbers', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto(`/servers/${stage.servers.running}/metrics`)
  const crash = page.getByRole('button', { name: /^Crashed, / })
  await crash.press('Enter')
  const said = page.getByRole('dialog', { name: /^Crashed, / })
  const why = said.getByText('It ended by itself')
  await why.waitFor()
  const [box, inner] = [(await said.boundingBox())!, (await why.boundingBox())!]
  expect(inner.x).toBeGreaterThan(box.x)
  expect(inner.x + inner.width).toBeLessThan(box.x + box.width)
  await said.getByRole('link', { name: 'Open history' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Table' }).press('Enter')
  const table = page.getByRole('table', { name: 'Metrics' })
  await table.getByRole('columnheader', { name: 'Received' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(20)
  await expectAccessible(page)
})

test('the last 30 days of a server are one click away', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto(`/servers/${stage.servers.running}/metrics`)
  await lastThirtyDays()
  await picture(page, 'metrics-30-days')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(browser.faults).toEqual([])
})

test('dragging over a chart zooms all of them', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.customer)
  await page.goto(`/servers/${stage.servers.running}/metrics`)
  const cpu = page.getByRole('slider', { name: 'CPU over time' })
  const over = cpu.locator('.u-over')
  await over.hover()
  const box = (await over.boundingBox())!
  await page.mouse.move(box.x + box.width * 0.25, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + 40, { steps: 5 })
  await page.mouse.up()
  await page.waitForURL(/from=.*to=/)
  const memory = page.getByRole('slider', { name: 'Memory over time' })
  const span =
    Number(await memory.getAttribute('aria-valuemax')) -
    Number(await memory.getAttribute('aria-valuemin'))
  expect(span).toBeGreaterThan(800)
  expect(span).toBeLessThan(1000)
  await page.goBack()
  await expect.poll(() => page.url()).not.toContain('from=')
  expect(browser.faults).toEqual([])
})

test('a node has its metrics on a tab, relative to the capacity of its machine', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await stage.lodge.database.pool.query(
    `insert into node_samples (key, at, cpu, memory, disk)
     select $1, at, 40, 4e9, 5e9 from generate_series(now() - interval '55 minutes', now() - interval '40 minutes', interval '15 seconds') as at`,
    [stage.node.id],
  )
  await page.goto(`/admin/nodes/${stage.node.id}/metrics?range=hour`)
  const memory = page.getByRole('slider', { name: 'Memory over time' })
  await memory.press('Home')
  await expect.poll(() => memory.getAttribute('aria-valuetext')).toMatch(/, Memory 3\.7 GiB$/)
  await page
    .getByText(/^Total/)
    .first()
    .waitFor()
  await page.getByRole('slider', { name: 'Disk over time' }).waitFor()
  expect(await page.getByRole('list', { name: 'Events' }).count()).toBe(0)
  await lastThirtyDays()
  expect(browser.faults).toEqual([])
})
