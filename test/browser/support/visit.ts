import { expect } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Browser, expectAccessible, picture } from './browser.ts'

/** Shows the panel's pages as this person from now on; without one nobody is signed in. */
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

/** The two forms in which the panel is looked at. */
export const FORMS = [
  ['light', 1280],
  ['dark', 390],
] as const

/** Checks the open page on a desktop and on a phone. */
export async function expectReadable(
  browser: Browser,
  name: string,
  forms: readonly (typeof FORMS)[number][] = FORMS,
): Promise<void> {
  const { page } = browser
  await picture(page, name)
  for (const [scheme, width] of forms) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    await expectAccessible(page)
  }
  expect(browser.faults, page.url()).toEqual([])
}

/** Opens a page, waits until it has loaded, and checks it on a desktop and on a phone. */
export async function expectScreen(browser: Browser, name: string, path: string): Promise<void> {
  await openScreen(browser, path)
  await expectReadable(browser, name)
}
