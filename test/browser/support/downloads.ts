import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The lines of the CSV file that a click saves, which begins with the mark for spreadsheets. */
export async function csvLines(page: Page, click: () => Promise<void>): Promise<string[]> {
  const waiting = page.waitForEvent('download')
  await click()
  const stream = await (await waiting).createReadStream()
  const text = Buffer.concat(await stream.toArray()).toString()
  expect(text[0]).toBe('\uFEFF')
  return text.slice(1).trimEnd().split('\r\n')
}
