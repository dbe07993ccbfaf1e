import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { lengthOf } from '../../run/lengths.ts'
import type { Caller } from '../../support/caller.ts'
import { type Browser, expectAccessible, picture } from './browser.ts'

/** Shows the panel's pages as this person from now on; without one, signed out. */
export async function beOn(browser: Browser, origin: string, person?: Caller): Promise<void> {
  await browser.context.clearCookies()
  if (person?.cookie === undefined) return
  await browser.context.addCookies([{ name: 'panel_session', value: person.cookie, url: origin }])
}

/** Opens a page and waits until it has loaded. */
export async function openScreen({ page }: Browser, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
}

/** The two viewports in which the panel is viewed. */
export const FORMS = [
  ['light', 1280],
  ['dark', 390],
] as const

type Form = (typeof FORMS)[number]

/** The viewports in which one of several screens is checked in this run: both, or one in turn. */
export const formsInTurn = (turn: number): readonly Form[] =>
  lengthOf('LODGE_SCREEN_FORMS') === FORMS.length
    ? FORMS
    : FORMS.filter((_, form) => form === turn % FORMS.length)

/** How many screens a browser was checked on. */
const checked = new WeakMap<Browser, number>()

async function show(page: Page, [scheme, width]: Form): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 844 })
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
}

/**
 * Checks the open page on a desktop or on a phone in turn, in the long run on both. Afterwards the
 * page has the viewport of a phone in either run.
 */
export async function expectReadableInTurn(browser: Browser, name: string): Promise<void> {
  const turn = checked.get(browser) ?? 0
  checked.set(browser, turn + 1)
  await expectReadable(browser, name, formsInTurn(turn))
  await show(browser.page, FORMS[1])
}

/** Checks the open page in these viewports. */
export async function expectReadable(
  browser: Browser,
  name: string,
  forms: readonly Form[],
): Promise<void> {
  const { page } = browser
  await picture(page, name)
  for (const form of forms) {
    await show(page, form)
    await expectAccessible(page)
  }
  expect(browser.faults, page.url()).toEqual([])
}

/** Opens a page, waits until it has loaded, and checks it in turn. */
export async function expectScreen(browser: Browser, name: string, path: string): Promise<void> {
  await openScreen(browser, path)
  await expectReadableInTurn(browser, name)
}
