import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
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

/** First visits with an empty cache in a real browser with fourfold CPU throttling. */
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
    return findings
  },
}

async function visit(
  browser: Browser,
  address: string,
  cookie: string | undefined,
  /** Content that only the right page has, and not an error page. */
  content: string,
): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const [name = '', value = ''] = cookie?.split('=') ?? []
    if (cookie) await context.addCookies([{ name, value, url: address }])
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
