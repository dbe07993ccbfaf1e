import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { everyScreen, type Screen } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { differenceOf } from '../support/pictures.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, openScreen } from '../support/visit.ts'

const FORMS = [
  { scheme: 'light', width: 1280, height: 800 },
  { scheme: 'dark', width: 390, height: 844 },
] as const
/** The machine that runs the tests shows in them. */
const OF_THIS_MACHINE = ['nodeHardware', 'nodeChecks', 'nodeLog', 'setUpNode']

let stage: Stage
let browser: Browser
let screens: readonly Screen[]

beforeAll(async () => {
  stage = await openStage()
  // A node that has been away for a minute would be news in the middle of the walk.
  await until(async () => {
    const { rowCount } = await stage.lodge.database.pool.query(
      `update nodes set told_offline = true where name = 'helsinki-1' and session_id is null`,
    )
    return rowCount === 1
  })
  screens = await everyScreen(stage)
  // Half the pixels in each direction: enough for what moves, and a quarter of the bytes.
  browser = await openBrowser(stage.lodge.origin, { isFull: true, deviceScaleFactor: 0.5 })
  await beOn(browser, stage.lodge.origin, stage.admin)
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

test('every screen looks as its stored picture, light on a desktop and dark on a phone', {
  timeout: 300_000,
}, async () => {
  const { page } = browser
  const differences: string[] = []
  const look = async ({ name, path }: Screen): Promise<void> => {
    await openScreen(browser, path)
    // Parts that load later; a page that is told news meanwhile is not idle, but whole.
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
    await page.waitForFunction(() => document.fonts.status === 'loaded')
    for (const { scheme, width, height } of FORMS) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height })
      await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
      const difference = await differenceOf(page, `${name}-${scheme}-${width}`)
      if (difference) differences.push(difference)
    }
  }
  for (const screen of screens) {
    if (OF_THIS_MACHINE.includes(screen.name)) continue
    await look(screen).catch((error: Error) => {
      // A page that could not fetch one of its parts loads itself again, once.
      if (!/context was destroyed/.test(error.message)) throw error
      return look(screen)
    })
  }
  expect(differences).toEqual([])
})
