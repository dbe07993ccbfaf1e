import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

const KEPT = path.resolve(import.meta.dirname, '../panel/pictures')
/** Actual pictures and differences of a failed run. */
const FOUND = path.resolve(import.meta.dirname, '../../../node_modules/.cache/pictures')
/** Replaces the stored pictures instead of comparing with them. */
const UPDATES = process.env.LODGE_PICTURES === 'update'
/**
 * The pixels that may differ, in either form: times, addresses and ids change with each run, which
 * makes up to 700. A shifted column makes 1,400.
 */
const MOST_PIXELS = 900

/** What differs in each run and is large: charts with their figures, and terminals. */
const VARIES = `
  canvas, figure [role="slider"], figcaption, .xterm { visibility: hidden !important }
  * { caret-color: transparent !important }`

/** The shown part of the page, compared with the stored picture; undefined when it is the same. */
export async function differenceOf(page: Page, name: string): Promise<string | undefined> {
  const shot = await page.screenshot({ animations: 'disabled', style: VARIES })
  const file = path.join(KEPT, `${name}.png`)
  if (UPDATES) {
    await mkdir(KEPT, { recursive: true })
    await writeFile(file, shot)
    return undefined
  }
  if (!existsSync(file)) return `${name}: has no stored picture`
  const [before, now] = [PNG.sync.read(await readFile(file)), PNG.sync.read(shot)]
  if (before.width !== now.width || before.height !== now.height)
    return `${name}: was ${before.width}x${before.height}, is ${now.width}x${now.height}`
  const { width, height } = now
  const marked = new PNG({ width, height })
  const pixels = pixelmatch(before.data, now.data, marked.data, width, height, { threshold: 0.2 })
  if (pixels <= MOST_PIXELS) return undefined
  await mkdir(FOUND, { recursive: true })
  await writeFile(path.join(FOUND, `${name}.png`), shot)
  await writeFile(path.join(FOUND, `${name}-difference.png`), PNG.sync.write(marked))
  return `${name}: ${pixels} pixels differ`
}
