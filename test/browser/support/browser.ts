import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { openPages } from '../../run/open-pages.ts'
import { PATIENCE_MS } from '../../run/patience.ts'
import { withSteadyNetwork } from './steady-network.ts'

/**
 * Chromium without windows: the same engine with a third less CPU time, except that it renders text
 * differently.
 */
const SHELL = '/usr/bin/chromium-headless-shell'
const FULL = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser with an empty profile, which collects errors in its pages. */
export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  /** Errors of scripts, of the console and of the content security policy. */
  readonly faults: string[]
}

export interface BrowserOptions {
  /** Additional command-line flags for Chromium. */
  readonly flags?: readonly string[]
  /** The complete Chromium, which renders text as people see it. */
  readonly isFull?: boolean
  /** Pixels of a screenshot for each CSS pixel. */
  readonly deviceScaleFactor?: number
  /** The language that the person reads, as browsers name it. */
  readonly locale?: string
}

/** Opens the panel at this address in Chromium's headless shell, or in the complete Chromium. */
export async function openBrowser(
  baseURL: string,
  { flags = [], isFull = false, deviceScaleFactor = 1, locale = 'en-US' }: BrowserOptions = {},
): Promise<Browser> {
  const profile = await mkdtemp(path.join(os.tmpdir(), 'lodge-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: withSteadyNetwork(isFull ? FULL : SHELL),
    args: [...FLAGS, ...flags],
    baseURL,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor,
    locale,
    reducedMotion: 'reduce',
  })
  const page = context.pages()[0] ?? (await context.newPage())
  context.setDefaultTimeout(PATIENCE_MS)
  openPages.add(page)
  page.once('close', () => openPages.delete(page))
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // Pages handle error responses themselves, so those do not count as faults of the page.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(text)
  })
  return {
    context,
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Checks the current screen against WCAG 2.2 AA, and that it does not overflow sideways.
 * @param within check only this part: what a dialog covers cannot be used while it is open
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  // Describing every element that passes would take longer than the checks.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  axe.include(within).withTags(RULES)
  // Joining the results of several frames opens a page of its own each time.
  axe.setLegacyMode(page.frames().length === 1)
  const { violations } = await axe.analyze()
  const descriptions = violations.flatMap(({ id, nodes }) => {
    const found = nodes.map(
      (node) => `${node.target.join(' ')} (${node.any.map(({ message }) => message).join('; ')})`,
    )
    // Elements partly covered by the bottom bar can be scrolled out from under it.
    const wrong = found.filter((one) => !(id === 'target-size' && one.includes('obscured')))
    return wrong.length > 0 ? [`${id}: ${wrong.join(', ')}`] : []
  })
  expect(descriptions, page.url()).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0)
}

/** A screenshot of each screen in light and dark, wide and narrow, if a folder for them is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LODGE_SCREENSHOTS
  if (!folder) return
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: width === 1280 ? 800 : 844 })
      await page.screenshot({ path: path.join(folder, `${name}-${scheme}-${width}.png`) })
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 800 })
}
