import type { Page } from 'playwright-core'

/** The lines of the CSV file that a click saves. */
export async function csvLines(page: Page, click: () => Promise<void>): Promise<string[]> {
  const waiting = page.waitForEvent('download')
  await click()
  const stream = await (await waiting).createReadStream()
  return Buffer.concat(await stream.toArray())
    .toString()
    .trimEnd()
    .split('\r\n')
}
