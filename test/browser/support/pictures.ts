import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'

const KEPT = path.resolve(import.meta.dirname, '../panel/pictures')
/** The folder for actual screenshots and differences of a failed run. */
const FOUND = path.resolve(import.meta.dirname, '../../../node_modules/.cache/pictures')
/** Replaces the stored screenshots instead of comparing with them. */
export const UPDATES = process.env.LODGE_PICTURES === 'update'
/** The number of pixels that may differ, in either viewport. A shifted column makes 1,400. */
const MOST_PIXELS = 400

/**
 * Charts, terminals and usage of the machine differ in each run, and times advance while they are
 * viewed.
 */
const VARIES = `
  figure *, .xterm, [data-lane="used"], [data-lane="used"] + dd { visibility: hidden !important }
  time { font-size: 0 !important }
  time::before { content: '5 minutes ago'; font-size: 13px }
  * { caret-color: transparent !important }`

/**
 * Replaces addresses, ids and times of day, which differ in each run, so that neither their text nor
 * the resulting widths are compared.
 */
function steady(rules: string): void {
  // The page's content security policy forbids a style element.
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules)
  document.adoptedStyleSheets = [sheet]
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? ''
    const same = text
      .replaceAll(
        /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
        '01234567-89ab-cdef-0123-456789abcdef',
      )
      .replaceAll(/-[0-9a-f]{8}(?=@)/g, '-01234567')
      .replaceAll(/\b(\d{1,3}\.){3}\d{1,3}(:\d+)?\b/g, (_, __, port) =>
        port ? '192.0.2.1:25565' : '192.0.2.1',
      )
      .replaceAll(/\blocalhost:\d+\b/g, 'localhost:8080')
      .replaceAll(/\b\d{1,2}:\d{2}(:\d{2})?\b/g, '12:00')
    if (same !== text) node.nodeValue = same
  }
}

/**
 * The visible part of the page, compared with the stored screenshot; undefined when it is the same.
 */
export async function differenceOf(page: Page, name: string): Promise<string | undefined> {
  await page.evaluate(steady, VARIES)
  const shot = await page.screenshot({ animations: 'disabled' })
  const file = path.join(KEPT, `${name}.png`)
  if (UPDATES) {
    await mkdir(KEPT, { recursive: true })
    await writeFile(file, shot)
    return undefined
  }
  if (!existsSync(file)) return `${name}: has no stored picture`
  const stored = await readFile(file)
  if (shot.equals(stored)) return undefined
  const [before, now] = [PNG.sync.read(stored), PNG.sync.read(shot)]
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
