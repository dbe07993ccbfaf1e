import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScreen } from '../support/all-screens.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { addPeople } from '../support/people.ts'
import { openStage, type Stage } from '../support/stage.ts'
import { beOn, openScreen } from '../support/visit.ts'

let stage: Stage
let browser: Browser

beforeAll(async () => {
  stage = await openStage()
  await addPeople(stage.lodge)
  browser = await openBrowser(stage.lodge.origin, { locale: 'de-AT' })
}, 120_000)

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const spoken = (): Promise<string> => browser.page.evaluate(() => document.documentElement.lang)

test('the panel speaks the language of the browser until another is chosen, which it keeps', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Weiter' }).waitFor()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Weiter' }).waitFor()
  expect(await spoken()).toBe('de')
  expect(browser.faults).toEqual([])
})

test('the language of the account is spoken wherever its person signs in', async () => {
  const { page } = browser
  const customer = await stage.lodge.customer()
  await beOn(browser, stage.lodge.origin, customer)
  await page.goto('/account')
  await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor()
  await page.getByRole('radiogroup', { name: 'Sprache' }).getByText('English').click()
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  expect((await customer.must('GET /api/auth/me')).preferences.language).toBe('en')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/account')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  expect(await spoken()).toBe('en')
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Same as browser').click()
  await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor()
  // A tab with words of another folder
  await page.goto('/account/limits')
  await page.getByRole('columnheader', { name: 'Wert' }).first().waitFor()
})

test('every screen fits a phone in German, too', { timeout: 300_000 }, async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.setViewportSize({ width: 390, height: 844 })
  const wide: string[] = []
  for (const { name, path } of await everyScreen(stage)) {
    await openScreen(browser, path)
    expect(await spoken(), path).toBe('de')
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) wide.push(`${name}: ${over}`)
  }
  expect(wide).toEqual([])
  expect(browser.faults).toEqual([])
})
