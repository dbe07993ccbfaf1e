import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { beOn } from '../support/visit.ts'

const MIB = 1024 * 1024
const LOG = {
  ...{ name: 'server.log', mimeType: 'text/plain' },
  buffer: Buffer.from('2026-11-27 all is well\n'.repeat(MIB)).subarray(0, 20 * MIB),
}

let lodge: Lodge
let browser: Browser
let page: Page
let admin: Caller
let customer: Caller

beforeAll(async () => {
  lodge = await startPanel()
  admin = await lodge.admin()
  customer = await lodge.customer()
  browser = await openBrowser(lodge.origin)
  page = browser.page
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const bar = (name: string) => page.getByRole('progressbar', { name: `Upload of ${name}` })
/** The percentage of the file that has been sent. */
const percentOf = async (name: string) => Number(await bar(name).getAttribute('aria-valuenow'))

/** Lets the page send only so many bytes in a second, until it is disposed of. */
async function slowLine(bytesPerSecond: number): Promise<AsyncDisposable> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond },
  })
  return { [Symbol.asyncDispose]: () => session.detach() }
}

/** The parts of unsent files that the control plane stores. */
const unsent = async () => {
  const { rows } = await lodge.database.pool.query<{ arrivals: number; files: number }>(
    `select (select count(*)::int from attachment_arrivals) as arrivals,
       (select count(*)::int from attachments where message_id is null) as files`,
  )
  return rows[0]
}

test('a file of 20 MiB on a slow line shows its progress, is cancelled without a trace, and is sent once the line is fast', async () => {
  // The state left by another attempt.
  await lodge.database.pool.query('delete from attachments where message_id is null')
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'It stops', bodyMarkdown: 'Since today.' },
  })
  await beOn(browser, lodge.origin, customer)
  await page.goto(`/support/${id}`)
  const answer = page.getByRole('textbox').last()
  await answer.fill('All that it said is in the file.')
  const choose = () => page.locator('input[type="file"]').setInputFiles(LOG)
  {
    await using _ = await slowLine(MIB / 2)
    await choose()
    await expect.poll(() => percentOf('server.log')).toBeGreaterThan(0)
    const first = await percentOf('server.log')
    await page.getByText(/^server\.log: .+ of 20 MiB$/).waitFor()
    await until(async () => (await unsent())?.arrivals === 1)
    await picture(page, 'attaching')
    await expectAccessible(page)
    await expect.poll(() => percentOf('server.log')).toBeGreaterThan(first)
    expect(await percentOf('server.log')).toBeLessThan(100)
    await button('Cancel the upload of server.log').click()
    await bar('server.log').waitFor({ state: 'detached' })
  }
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(await button('Remove server.log').count()).toBe(0)
  await until(async () => (await unsent())?.arrivals === 0)
  expect(await unsent()).toEqual({ arrivals: 0, files: 0 })
  expect(await answer.inputValue()).toBe('All that it said is in the file.')

  await choose()
  await button('Remove server.log').waitFor()
  await answer.press('Control+Enter')
  await page.getByRole('link', { name: 'server.log' }).waitFor()
  const { messages } = await customer.must('GET /api/support/tickets/{id}', { params: { id } })
  expect(messages.at(-1)?.attachments).toMatchObject([
    { name: 'server.log', type: 'text/plain', sizeBytes: 20 * MIB },
  ])
  expect(browser.faults).toEqual([])
})

test('a long name without spaces fits on a phone, during and after its upload', async () => {
  const name = `${'crash_report_of_the_lobby_with_all_its_threads_'.repeat(2)}.log`
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'It stops again', bodyMarkdown: 'Since noon.' },
  })
  await beOn(browser, lodge.origin, customer)
  const phone = { width: 390, height: 844 }
  await page.setViewportSize(phone)
  await page.goto(`/support/${id}`)
  await page.getByRole('textbox').last().fill('Its report.')
  const choose = () => page.locator('input[type="file"]').setInputFiles({ ...LOG, name })
  {
    await using _ = await slowLine(MIB / 2)
    await choose()
    await expect.poll(() => percentOf(name)).toBeGreaterThan(0)
    await picture(page, 'attaching-long')
    await page.setViewportSize(phone)
    await expectAccessible(page)
    await button(`Cancel the upload of ${name}`).click()
    await bar(name).waitFor({ state: 'detached' })
  }
  await choose()
  await button(`Remove ${name}`).waitFor()
  await picture(page, 'attached-long')
  await page.setViewportSize(phone)
  await expectAccessible(page)
  await page.getByRole('textbox').last().press('Control+Enter')
  await page.getByRole('link', { name }).waitFor()
  await expectAccessible(page)
  expect(browser.faults).toEqual([])
})

/** An image of this size with visible contents. */
const drawn = (width: number, height: number, colour: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="100%" height="100%" fill="${colour}"/>
        <circle cx="50%" cy="50%" r="20%" fill="white"/></svg>`,
    ),
  )
    .png()
    .toBuffer()

test('images of a message are viewed by keyboard on both sides, and a broken one is marked so', async () => {
  const { id } = await customer.must('POST /api/support/tickets', {
    body: { subject: 'It looks wrong', bodyMarkdown: 'Since the update.' },
  })
  await beOn(browser, lodge.origin, customer)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/support/${id}`)
  const png = { mimeType: 'image/png' }
  const wide = await drawn(2400, 1200, '#3b5bdb')
  await page.locator('input[type="file"]').setInputFiles([
    { ...png, name: 'lobby.png', buffer: wide },
    { ...png, name: 'tower.png', buffer: await drawn(300, 900, '#c92a2a') },
    { ...png, name: 'half.png', buffer: wide.subarray(0, 400) },
  ])
  await button('Remove half.png').waitFor()
  const chosen = page.locator('form img')
  const widths = () =>
    chosen.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))
  // For the broken one, this browser's rendering of its beginning.
  await expect.poll(widths).toEqual([2400, 300, 2400])
  await picture(page, 'attached-pictures')
  await expectAccessible(page)
  const input = page.locator('input[type="file"]')
  await input.setInputFiles({ ...png, name: 'again.png', buffer: wide })
  await page.getByText('The same file is attached already: lobby.png').waitFor()
  expect(await button('Remove again.png').count()).toBe(0)
  await picture(page, 'attached-twice')
  await page.getByRole('textbox').last().fill('See the pictures.')
  await page.getByRole('textbox').last().press('Control+Enter')
  await button('Enlarge tower.png').waitFor()
  await page.getByText('No preview').waitFor()
  const isDrawn = (image: string) =>
    page.locator(image).evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)
  await button('Enlarge lobby.png').scrollIntoViewIfNeeded()
  await expect.poll(() => isDrawn('button[aria-label="Enlarge lobby.png"] img')).toBe(true)
  await expectAccessible(page)
  await picture(page, 'previews')
  await button('Enlarge lobby.png').focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'lobby.png' }).waitFor()
  await expect.poll(() => isDrawn('[role="dialog"] img')).toBe(true)
  await dialog.getByText('Picture 1 of 2').waitFor()
  await expectAccessible(page, '[role="dialog"]')
  await picture(page, 'preview-large')
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('img', { name: 'tower.png' }).waitFor()
  await dialog.getByText('Picture 2 of 2').waitFor()
  await expect.poll(() => isDrawn('[role="dialog"] img')).toBe(true)
  await picture(page, 'preview-tall')
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('img', { name: 'lobby.png' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Enlarge lobby.png')

  await beOn(browser, lodge.origin, admin)
  await page.goto(`/admin/desk/${id}`)
  await button('Enlarge tower.png').waitFor()
  await expect.poll(() => isDrawn('button[aria-label="Enlarge lobby.png"] img')).toBe(true)
  await expectAccessible(page)
  await picture(page, 'previews-desk')
  await button('Enlarge tower.png').focus()
  await page.keyboard.press('Enter')
  await dialog.getByText('Picture 2 of 2').waitFor()
  await page.keyboard.press('ArrowLeft')
  await dialog.getByText('Picture 1 of 2').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(browser.faults).toEqual([])
})
