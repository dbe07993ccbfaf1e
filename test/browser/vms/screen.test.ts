import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type Browser, expectAccessible, openBrowser } from '../support/browser.ts'
import { type MachineStage, openMachineStage } from '../support/machine-stage.ts'
import { beOn } from '../support/visit.ts'

let stage: MachineStage
let browser: Browser

beforeAll(async () => {
  stage = await openMachineStage()
  browser = await openBrowser(stage.lodge.origin)
  await beOn(browser, stage.lodge.origin, stage.customer)
  await browser.page.goto(`/servers/${stage.machineId}/screen`)
  await connected()
  await until(async () => (await stage.guest.heard()).includes('@'))
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const connected = () => browser.page.getByText('Connected', { exact: true }).waitFor()
const button = (name: string) => browser.page.getByRole('button', { name, exact: true })

/** The keys that the guest received since an action: character and scan code of each. */
async function keysAfter(act: () => Promise<unknown>, count: number): Promise<Buffer> {
  const before = (await stage.guest.heard()).length
  await act()
  const received = await until(async () => {
    const all = await stage.guest.heard()
    return all.length >= before + count * 2 ? all : undefined
  })
  return received.subarray(before)
}

/** The received characters. */
const signsAfter = async (act: () => Promise<unknown>, count: number): Promise<string> =>
  String.fromCharCode(...[...(await keysAfter(act, count))].filter((_, at) => at % 2 === 0))

/** The received scan codes, for keys without a character. */
const scansAfter = async (act: () => Promise<unknown>, count: number): Promise<number[]> =>
  [...(await keysAfter(act, count))].filter((_, at) => at % 2 === 1)

/** The screen; with touch there is a second canvas for the pointer. */
const canvasOf = (page: Page) => page.getByRole('region').locator('canvas').first()

async function pressKeys(name: string): Promise<void> {
  await button('Press keys').click()
  await browser.page.getByRole('menuitem', { name, exact: true }).click()
}

test('typed text reaches the guest character by character, capitals and symbols too', async () => {
  const { page } = browser
  const text = 'root; echo "Aa 1+1=2" > /x_Y~'
  const typed = await signsAfter(async () => {
    await button('Type text').click()
    await page.getByLabel('Text', { exact: true }).fill(text)
    await page.getByRole('switch', { name: 'Press Enter at the end' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Type text' }).click()
  }, text.length + 1)
  expect(typed).toBe(`${text}\r`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The machine has the keyboard focus again.
  expect(await signsAfter(() => page.keyboard.type('xyz'), 3)).toBe('xyz')
})

test('keys that a desktop intercepts reach the guest, and so do the three that restart it', async () => {
  const { page } = browser
  // F5, F12 and Alt+Tab as the BIOS reports them.
  expect(await scansAfter(() => pressKeys('F5'), 1)).toEqual([0x3f])
  expect(await scansAfter(() => pressKeys('F12'), 1)).toEqual([0x86])
  expect(await scansAfter(() => pressKeys('Alt + Tab'), 1)).toEqual([0xa5])
  await button('Press keys').click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const starts = async () => (await stage.guest.heard()).toString('latin1').split('@').length - 1
  const before = await starts()
  await button('Ctrl-Alt-Del').click()
  await until(async () => (await starts()) > before)
})

test('view-only mode sends no keys', { tags: 'long' }, async () => {
  const { page } = browser
  const typed = await signsAfter(async () => {
    await button('View only').click()
    await canvasOf(page).click()
    await page.keyboard.type('nothing of this')
    await expect.poll(() => button('Ctrl-Alt-Del').getAttribute('aria-disabled')).toBe('true')
    await button('Turn off view only').click()
    await canvasOf(page).click()
    await page.keyboard.type('k')
  }, 1)
  expect(typed).toBe('k')
})

test('a screenshot is saved unchanged', { tags: 'long' }, async () => {
  const { page } = browser
  const download = page.waitForEvent('download')
  await button('Save screenshot').click()
  const saved = await download
  expect(saved.suggestedFilename()).toBe('Build machine.png')
  const png = await readFile(await saved.path())
  const canvas = await canvasOf(page).evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    return { width, height }
  })
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(canvas)
})

test('the screen in its own window accepts keys, and the first one stays', {
  tags: 'long',
}, async () => {
  const { page, context } = browser
  const opened = context.waitForEvent('page')
  await button('Open in new window').click()
  const window = await opened
  await window.getByText('Connected', { exact: true }).waitFor()
  await expectAccessible(window)
  expect(
    await signsAfter(async () => {
      await canvasOf(window).click()
      await window.keyboard.type('own')
    }, 3),
  ).toBe('own')
  await window.close()
  await page.bringToFront()
  await connected()
})

test('on a phone the screen fits, and the on-screen keyboard types into it', async () => {
  const { page, context } = browser
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const phone = await context.newCDPSession(page)
  await phone.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 })
  await page.reload()
  await connected()
  await expectAccessible(page)
  await expect.poll(async () => (await canvasOf(page).boundingBox())?.width).toBeLessThan(390)
  expect((await canvasOf(page).boundingBox())?.width).toBeGreaterThan(330)
  // The box has the height of the picture, at any resolution of the guest.
  const bar = page.getByRole('toolbar', { name: 'Screen' })
  await expect
    .poll(async () => {
      const [box, tools, drawn] = await Promise.all(
        [page.getByRole('region'), bar, canvasOf(page)].map((one) => one.boundingBox()),
      )
      return Math.round((box?.height ?? 0) - (tools?.height ?? 0) - (drawn?.height ?? 0))
    })
    .toBeLessThan(8)
  await button('Show at actual size').click()
  await expect.poll(async () => (await canvasOf(page).boundingBox())?.width).toBeGreaterThan(600)
  await expectAccessible(page)
  await button('Fit to page').click()

  const typed = await signsAfter(async () => {
    await button('On-screen keyboard').click()
    await page.keyboard.type('lS')
    // On-screen keyboards insert whole words, and replace them.
    await page.keyboard.insertText(' -a')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
  }, 7)
  expect(typed).toBe('lS -a\b\r')
  expect(browser.faults).toEqual([])
})
