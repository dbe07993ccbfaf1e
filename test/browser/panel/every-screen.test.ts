import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong, lengthOf } from '../../run/lengths.ts'
import { until } from '../../support/until.ts'
import { everyScreen, type Screen, screensInTurn } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { holdWrites } from '../support/held-writes.ts'
import { addPeople } from '../support/people.ts'
import { differenceOf, UPDATES } from '../support/pictures.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, expectReadable, formsInTurn, openScreen } from '../support/visit.ts'

const FIELDS = lengthOf('LODGE_FIELDS')
/** The viewports of the stored screenshots. */
const PICTURE_FORMS = [
  { scheme: 'light', width: 1280, height: 800 },
  { scheme: 'dark', width: 390, height: 844 },
] as const
/** They show data of the machine that runs the tests, so they have no screenshots. */
const OF_THIS_MACHINE = ['nodeHardware', 'nodeChecks', 'nodeLog', 'setUpNode']

let stage: Stage
let browser: Browser
let page: Page
let screens: readonly Screen[]

beforeAll(async () => {
  stage = await openStage()
  // A node that has been disconnected for a minute would cause a notification in the middle of the
  // walk.
  await until(async () => {
    const { rowCount } = await stage.lodge.database.pool.query(
      `update nodes set told_offline = true where name = 'helsinki-1' and session_id is null`,
    )
    return rowCount === 1
  })
  await addPeople(stage.lodge)
  const all = await everyScreen(stage)
  screens = UPDATES ? all : screensInTurn(all)
  // Half the pixels in each direction: enough for what moves, and a quarter of the bytes.
  browser = await openBrowser(stage.lodge.origin, { isFull: true, deviceScaleFactor: 0.5 })
  page = browser.page
  await beOn(browser, stage.lodge.origin, stage.admin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const open = (path: string): Promise<void> => openScreen(browser, path)

const complaints = (): Promise<number> => page.locator('[aria-invalid="true"]').count()

/** The submit button of the form that contains a field. */
const sendButton = (field: Locator): Locator =>
  field.locator('xpath=ancestor::form').locator('button[type="submit"]')

// One walk, because opening a screen costs more than looking at it.
test('every screen matches its stored screenshot, has its own title, fits into 320 pixels, fetches each thing once, is readable light on a desktop or dark on a phone, and sends no invalid form', async () => {
  const requested: string[] = []
  let lastAt = 0
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!pathname.startsWith('/api/')) return
    lastAt = Date.now()
    requested.push(`${request.method()} ${pathname}${search}`)
  })
  const titles = new Map<string, string>()
  const [wide, twice, alike]: [string[], string[], string[]] = [[], [], []]
  const [different, refused, sent]: [string[], string[], string[]] = [[], [], []]
  const repeatedRequests = async (path: string): Promise<string[]> => {
    // Requests of the previous screen are not counted.
    await page.goto('about:blank')
    requested.length = 0
    await open(path)
    await until(() => Date.now() - lastAt > 400)
    return requested.filter((one, index) => requested.indexOf(one) !== index)
  }
  for (const [index, { name, path }] of screens.entries()) {
    // In the short run pairs of screens take turns: two are compared, two have their forms filled in.
    const isFirstPair = index % 4 < 2
    const isLookedAt = isLong || UPDATES || isFirstPair
    const isFilledIn = isLong || !isFirstPair
    await page.setViewportSize({ width: 320, height: 700 })
    if (isLookedAt) {
      const again = await repeatedRequests(path)
      // A live event or a reconnected stream also refetches, but not on every visit.
      const always = again.length > 0 ? await repeatedRequests(path) : []
      const repeated = again.filter((one) => always.includes(one))
      if (repeated.length > 0) twice.push(`${path}: ${repeated.join(', ')}`)
    } else await open(path)
    const beyond = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (beyond > 0) wide.push(`${path}: ${beyond} pixels, ${await widest()}`)
    const title = await page.title()
    const other = titles.get(title)
    if (other !== undefined) alike.push(`${path} and ${other}: ${title}`)
    titles.set(title, path)
    const forms = formsInTurn(index)
    await expectReadable(browser, `admin-${name}`, forms)
    const isDark = forms.at(-1)?.[0] === 'dark'
    if (isLookedAt && !OF_THIS_MACHINE.includes(name))
      different.push(...(await differences(name, isDark)))
    if (!isFilledIn) continue
    // Not before: a preview is a write, too.
    await using writes = await holdWrites(page)
    refused.push(...(await complainingFields(path, writes.sent)))
    sent.push(...writes.sent)
    await page.goto('about:blank')
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  const found = { wide, twice, alike, different }
  expect(found).toEqual({ wide: [], twice: [], alike: [], different: [] })
  // Sizes, amounts, ports and addresses of all these forms, and names that no form rejects: guards
  // against finding none.
  expect(sent.length).toBeGreaterThan(isLong ? 5 : 2)
  expect(refused.length, refused.join('\n')).toBeGreaterThan(isLong ? 15 : 2)
  expect(browser.faults).toEqual([])
})

/**
 * The differences of the open screen from the stored screenshot of its viewport, and in the long run
 * of the other one.
 */
async function differences(name: string, isDark: boolean): Promise<string[]> {
  const found: string[] = []
  await page.waitForFunction(() => document.fonts.status === 'loaded')
  const all = isDark ? PICTURE_FORMS.toReversed() : PICTURE_FORMS
  const forms = UPDATES ? all : all.slice(0, lengthOf('LODGE_SCREEN_FORMS'))
  for (const { scheme, width, height } of forms) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    const difference = await differenceOf(page, `${name}-${scheme}-${width}`)
    if (difference) found.push(difference)
  }
  return found
}

/**
 * Types nonsense into the first fields, or all of them, and submits the form; the fields with an
 * error have sent nothing.
 */
async function complainingFields(path: string, sent: readonly string[]): Promise<string[]> {
  const found: string[] = []
  await unfold()
  const fields = page.locator('form input:is([type="text"], [type="email"], :not([type]))')
  let tried = 0
  for (let at = 0; at < (await fields.count()) && tried < FIELDS; at++) {
    const field = fields.nth(at)
    const usable =
      (await field.isEditable()) && (await field.getAttribute('aria-haspopup')) === null
    if (!usable || (await sendButton(field).count()) !== 1) continue
    tried += 1
    const label = (await field.getAttribute('id')) ?? String(at)
    const before = await field.inputValue()
    await field.fill('abc')
    const already = sent.length
    await field.press('Enter')
    await expect.poll(() => sendButton(field).getAttribute('aria-busy')).toBeNull()
    if ((await complaints()) > 0) {
      found.push(`${path} ${label}`)
      expect(
        sent.slice(already),
        `${path} ${await fieldName(field)}: a form with a complaint was sent`,
      ).toEqual([])
    }
    await field.fill(before)
  }
  return found
}

const fieldName = (field: Locator): Promise<string> =>
  field.evaluate((element) => (element as HTMLInputElement).labels?.[0]?.textContent ?? element.id)

/** Opens the sections of a form that are closed, or show only changed settings. */
async function unfold(): Promise<void> {
  const folded = page.getByRole('button', { name: /^Show all / })
  while ((await folded.count()) > 0) await folded.first().click()
  const closed = page.locator('form details:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
}

/** The element that extends furthest to the right, for the error message. */
const widest = (): Promise<string> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')]
    const right = Math.max(...all.map((one) => one.getBoundingClientRect().right))
    return all
      .filter((one) => one.getBoundingClientRect().right > right - 1)
      .map((one) => `${one.tagName.toLowerCase()}.${one.className}`)
      .slice(0, 4)
      .join(' > ')
  })

test('an unknown address keeps the frame of the panel', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await open('/admin/nothing-here')
  await page.getByText('There is nothing at this address').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
})
