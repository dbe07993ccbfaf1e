import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { median } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { repository } from '../stage/program.ts'
import { ourSide } from '../stage/sides.ts'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const SLOWER_BY = 4

interface Visit {
  readonly kilobytes: number
  readonly requests: number
  /** When the largest part of the page was painted. */
  readonly paintedMs: number
}

/**
 * First visits with an empty cache in a real browser with fourfold CPU throttling, and how long the
 * browser takes to paint after keys and clicks.
 */
export const panel: Row = {
  number: 22,
  name: 'panel',
  async run(bench) {
    const executablePath = BROWSERS.find((file) => existsSync(file))
    if (!executablePath) throw new Error('there is no Chromium: install the package chromium')
    if (!existsSync(path.join(repository, 'web/dist/index.html')))
      throw new Error('the panel is not built: run `npm run build` first')
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 10 })
    await insertServers(database.pool, { templateId: rows.templateId, from: 0, to: 1000 })
    const { plane } = await ourSide(bench, database)
    const browser = bench.ending.add(
      await chromium.launch({ executablePath, args: ['--no-sandbox'] }),
      (one) => one.close(),
    )
    const findings: Finding[] = []
    for (const [name, where, cookie, content, atMost] of [
      ['sign-in', '/', undefined, 'input[type="password"]', 180],
      ['list of servers', '/servers', rows.adminCookie, 'tbody tr', 230],
    ] as const) {
      const visits: Visit[] = []
      for (let round = 0; round < (bench.long ? 7 : 3); round++) {
        visits.push(await visit(browser, `${plane.origin}${where}`, cookie, content))
      }
      findings.push({
        what: `first visit of ${name}: bytes over the line`,
        value: median(visits.map((one) => one.kilobytes)),
        unit: 'KB',
        target: { atMost },
        peer: 'Cockpit machines page 864 KB gz; React, router and query 109 KB gz',
        detail: { requests: median(visits.map((one) => one.requests)) },
      })
      findings.push({
        what: `first visit of ${name}: largest paint, processor slowed ${SLOWER_BY}x`,
        value: median(visits.map((one) => one.paintedMs)),
        unit: 'ms',
        target: { atMost: 1200 },
      })
    }
    const slowest: number[] = []
    for (let round = 0; round < (bench.long ? 7 : 3); round++)
      slowest.push(await interact(browser, plane.origin, rows.adminCookie))
    findings.push({
      what: 'the slowest of 40 keys and clicks in list, palette and server: next paint',
      value: median(slowest),
      unit: 'ms',
      target: { atMost: 100 },
    })
    return findings
  },
}

/**
 * The longest time from a key or click to the next paint, in ms, as
 * [INP](https://web.dev/articles/inp) counts it for less than 50 interactions.
 */
async function interact(browser: Browser, origin: string, cookie: string): Promise<number> {
  const context = await signedIn(browser, origin, cookie)
  try {
    const page = await context.newPage()
    await page.goto(`${origin}/servers`)
    await page.locator('tbody tr').first().waitFor()
    await page.evaluate(listenForInteractions)
    const search = page.getByRole('main').getByRole('combobox').first()
    await search.click()
    await search.pressSequentially('name 1', { delay: 60 })
    await search.press('Escape')
    for (const column of ['Name', 'State', 'Name'])
      await page.getByRole('columnheader', { name: column }).getByRole('button').click()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('settings', { delay: 60 })
    await page.keyboard.press('Escape')
    await page.locator('tbody tr').first().getByRole('link').first().click()
    const tabs = page.getByRole('navigation', { name: 'Parts of this server' })
    for (const tab of ['Console', 'Network', 'Startup', 'Settings', 'Overview'])
      await tabs.getByRole('link', { name: tab, exact: true }).click()
    return await slowestInteraction(page)
  } finally {
    await context.close()
  }
}

/** Runs in the page. The browser reports only what takes 16 ms or longer. */
function listenForInteractions(): void {
  const heard = window as unknown as { slowestMs: number }
  heard.slowestMs = 16
  const entries = (list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[])
      if (entry.interactionId) heard.slowestMs = Math.max(heard.slowestMs, entry.duration)
  }
  new PerformanceObserver(entries).observe({
    type: 'event',
    durationThreshold: 16,
  } as PerformanceObserverInit)
}

async function slowestInteraction(page: Page): Promise<number> {
  // Entries come after the paint they measure.
  await page.waitForTimeout(500)
  return page.evaluate(() => (window as unknown as { slowestMs: number }).slowestMs)
}

async function signedIn(browser: Browser, address: string, cookie: string | undefined) {
  const context = await browser.newContext()
  const [name = '', value = ''] = cookie?.split('=') ?? []
  if (cookie) await context.addCookies([{ name, value, url: address }])
  return context
}

async function visit(
  browser: Browser,
  address: string,
  cookie: string | undefined,
  /** Content that only the right page has, and not an error page. */
  content: string,
): Promise<Visit> {
  const context = await signedIn(browser, address, cookie)
  try {
    const page = await context.newPage()
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_BY })
    let bytes = 0
    let requests = 0
    line.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
      requests += 1
    })
    // The event stream stays open, so the network is never idle: the page is ready when it shows
    // text.
    await page.goto(address, { waitUntil: 'load' })
    await page.locator(content).first().waitFor()
    const paintedMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let newest = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) newest = entry.startTime
          }).observe({ type: 'largest-contentful-paint', buffered: true })
          setTimeout(() => resolve(newest), 1500)
        }),
    )
    return { kilobytes: bytes / 1024, requests, paintedMs }
  } finally {
    await context.close()
  }
}
