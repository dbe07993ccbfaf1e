import { expect } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { type Browser, expectAccessible, picture } from './browser.ts'

/** Shows the panel's pages as this person from now on; without one nobody is signed in. */
export async function beOn(browser: Browser, origin: string, person?: Caller): Promise<void> {
  await browser.context.clearCookies()
  if (person?.cookie === undefined) return
  await browser.context.addCookies([{ name: 'panel_session', value: person.cookie, url: origin }])
}

/** Opens a page, waits until it has loaded, and checks it on a desktop and on a phone. */
export async function expectScreen(browser: Browser, name: string, path: string): Promise<void> {
  const { page } = browser
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  await picture(page, name)
  for (const [scheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 844 })
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
    await expectAccessible(page)
  }
  expect(browser.faults, path).toEqual([])
}
