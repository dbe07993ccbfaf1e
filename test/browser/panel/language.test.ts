import { afterAll, beforeAll, expect, test } from 'vitest'
import { lengthOf } from '../../run/lengths.ts'
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
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
})

const spoken = (): Promise<string> => browser.page.evaluate(() => document.documentElement.lang)

test('the panel uses the language of the browser until another is chosen, which it remembers', async () => {
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

test('the language of the account is used wherever its person signs in', async () => {
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
  // A tab with texts of another folder.
  await page.goto('/account/limits')
  await page.getByRole('columnheader', { name: 'Wert' }).first().waitFor()
})

test('after signing out, the language is the one chosen in the browser, not that of the account', async () => {
  const { page } = browser
  const customer = await stage.lodge.customer()
  await customer.must('PUT /api/auth/preferences', { body: { mode: 'system', language: 'en' } })
  await beOn(browser, stage.lodge.origin, customer)
  await page.goto('/account')
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
  await expect.poll(() => page.locator('span[lang="de"]', { hasText: 'Deutsch' }).count()).toBe(1)
  await page.getByRole('button', { name: `Account ${customer.email}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Weiter' }).waitFor()
  expect(await spoken()).toBe('de')
})

/** Expects the German texts of a screen. */
async function expectSaid(path: string, ...texts: readonly string[]): Promise<void> {
  await openScreen(browser, path)
  for (const text of texts)
    await browser.page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
}

test('a customer reads permissions, events, jobs and errors of fields in German, too', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 844 })
  await beOn(browser, stage.lodge.origin, stage.customer)
  await stage.customer.must('POST /api/notification-channels', {
    body: { name: 'Mail', kind: 'email', to: 'desk@example.com', events: ['server.crashed'] },
  })
  await expectSaid('/account/notifications', 'Ein Server ist abgestürzt')
  await expectSaid('/jobs', 'Modded survival erstellen')
  await page.getByRole('button', { name: 'Modded survival erstellen' }).click()
  await page.getByText('Image vorbereiten', { exact: true }).waitFor()
  await openScreen(browser, '/account')
  await page.getByLabel('Neue E-Mail-Adresse').fill('nobody@')
  await page.getByLabel('Ihr Passwort', { exact: true }).first().fill('wrong')
  await page.getByRole('button', { name: 'Adresse ändern' }).click()
  await page.getByText('ist keine E-Mail-Adresse').waitFor()
  await openScreen(browser, `/servers/${stage.servers.running}/access`)
  await page.getByRole('button', { name: 'Person einladen' }).first().click()
  // In a collapsed section.
  await page.getByText('Den Server umbenennen', { exact: true }).waitFor({ state: 'attached' })
  expect(browser.faults).toEqual([])
})

test('an administrator reads permissions, mails and the audit log in German, too', async () => {
  const { page } = browser
  await page.setViewportSize({ width: 1280, height: 844 })
  await beOn(browser, stage.lodge.origin, stage.admin)
  await openScreen(browser, '/admin/audit')
  const entry = page.getByRole('listitem').filter({ hasText: 'hat Old lobby gesperrt' }).first()
  await entry.getByRole('link', { name: 'Old lobby' }).waitFor()
  await expectSaid('/admin/email/templates', 'Link zu einem neuen Passwort')
  await openScreen(browser, '/admin/team')
  await page.getByRole('button', { name: 'Administrator einladen' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Alle Server sehen', { exact: true }).waitFor()
  await dialog.getByText('Erscheinungsbild', { exact: true }).waitFor()
  expect(browser.faults).toEqual([])
})

test('every screen also fits a phone in German', async () => {
  const { page } = browser
  await beOn(browser, stage.lodge.origin, stage.admin)
  await page.setViewportSize({ width: 390, height: 844 })
  const wide: string[] = []
  for (const [index, { name, path }] of (await everyScreen(stage)).entries()) {
    if (index % lengthOf('LODGE_SCREENS_PER_LANGUAGE') !== 0) continue
    await openScreen(browser, path)
    expect(await spoken(), path).toBe('de')
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) wide.push(`${name}: ${over}`)
  }
  expect(wide).toEqual([])
  expect(browser.faults).toEqual([])
})
