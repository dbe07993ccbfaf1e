import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lodge } from '../../support/stack.ts'
import { type Browser, expectAccessible, openBrowser, picture } from '../support/browser.ts'
import { startPanel } from '../support/panel.ts'
import { addPeople } from '../support/people.ts'
import { beOn, expectScreen, openScreen } from '../support/visit.ts'

let lodge: Lodge
let browser: Browser
let customerId = ''

beforeAll(async () => {
  lodge = await startPanel()
  const admin = await lodge.admin()
  await admin.must('PUT /api/limits/defaults', { body: { maxServers: 3, maxMemoryMb: 8192 } })
  customerId = await addPeople(lodge)
  browser = await openBrowser(lodge.origin)
})

afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

test('every page for people who are not signed in is readable, light on a desktop or dark on a phone', async () => {
  await beOn(browser, lodge.origin)
  for (const [name, path] of [
    ['sign-in', '/login'],
    ['sign-up', '/signup'],
    ['verify', '/verify#token=unknown'],
    ['forgot', '/forgot'],
    ['recover', '/recover'],
    ['accept', '/accept#token=unknown'],
    ['join', '/join#token=unknown'],
    ['confirm-email', '/confirm-email'],
    ['verify-channel', '/verify-channel#token=unknown'],
    ['unsubscribe', '/unsubscribe#token=unknown'],
    ['report-status', '/abuse/status#token=unknown'],
  ] as const)
    await expectScreen(browser, `public-${name}`, path)
})

test('pages opened by links in mails are readable for an administrator, light on a desktop or dark on a phone', async () => {
  await beOn(browser, lodge.origin, await lodge.admin())
  for (const [name, path] of [
    ['transfer', '/team/transfer#token=unknown'],
    ['second-factor', '/second-factor'],
  ] as const)
    await expectScreen(browser, `people-${name}`, path)
})

/** Whether an element is in the visible part of the window. */
const inView = (one: Locator): Promise<boolean> =>
  one.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= window.innerHeight
  })

test('a setting is found by a synonym and focused, by keyboard alone, typed or pasted', async () => {
  await beOn(browser, lodge.origin, await lodge.admin())
  const { page } = browser
  await openScreen(browser, '/admin/settings')
  const search = page.getByRole('combobox', { name: 'Find a setting' })
  const jump = async (
    words: string,
    offered: string,
    focused: Locator,
    pasted = false,
  ): Promise<void> => {
    await search.focus()
    await (pasted ? page.keyboard.insertText(words) : page.keyboard.type(words))
    await page.getByRole('option', { name: offered }).first().waitFor()
    await expectAccessible(page)
    await picture(page, `settings-search-${words.replaceAll(' ', '-')}`)
    await page.keyboard.press('Enter')
    await page.locator(':focus').and(focused).waitFor()
    await expect.poll(() => inView(focused)).toBe(true)
    await picture(page, `settings-found-${words.replaceAll(' ', '-')}`)
  }
  await jump('smtp', 'Host', page.getByLabel('Host', { exact: true }))
  expect(new URL(page.url()).pathname).toBe('/admin/settings/mail')
  // Signing is off, so the search leads to the switch that turns it on.
  await jump('private key', 'Private key (PEM)', page.getByLabel('Sign mail'))
  await jump(
    'share servers',
    'Share servers',
    page.getByRole('combobox', { name: 'Share servers, set here' }),
    true,
  )
  await jump('approval', 'Who may sign up', page.getByRole('radio', { name: 'With approval' }))
  expect(new URL(page.url()).pathname).toBe('/admin/settings')
  expect(browser.faults).toEqual([])
})

test('the account is readable for a customer, light on a desktop or dark on a phone', async () => {
  await beOn(browser, lodge.origin, await lodge.session(customerId))
  for (const [name, path] of [
    ['profile', '/account'],
    ['security', '/account/security'],
    ['limits', '/account/limits'],
  ] as const)
    await expectScreen(browser, `account-${name}`, path)
})

test('the limits of an account lead an administrator, who has none, to their profile', async () => {
  const { page } = browser
  await beOn(browser, lodge.origin, await lodge.admin())
  await openScreen(browser, '/account/limits')
  await page.getByRole('link', { name: 'Profile' }).and(page.locator('[aria-current]')).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account')
})
