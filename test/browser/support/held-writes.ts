import type { Page } from 'playwright-core'

const CONFLICT = {
  type: '/problems/conflict',
  title: 'Conflict',
  status: 409,
  code: 'conflict',
  detail: 'Nothing is changed by this test',
  instance: 'test',
}

/** Intercepts requests between a page and the API. */
export interface HeldWrites extends AsyncDisposable {
  /** Method and path of each write that the page sent, so far. */
  readonly sent: readonly string[]
}

/**
 * Refuses every write of a page as a conflict before it leaves the browser. Playwright's `route`
 * would switch the browser's cache off, so that each page would load and compile the whole panel
 * again.
 */
export async function holdWrites(page: Page): Promise<HeldWrites> {
  const sent: string[] = []
  const line = await page.context().newCDPSession(page)
  line.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
    if (method !== 'GET') sent.push(`${method} ${new URL(url).pathname}`)
    const answer =
      method === 'GET'
        ? line.send('Fetch.continueRequest', { requestId })
        : line.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: CONFLICT.status,
            responseHeaders: [{ name: 'Content-Type', value: 'application/problem+json' }],
            body: Buffer.from(JSON.stringify(CONFLICT)).toString('base64'),
          })
    // Requests of a page are aborted when it is left.
    answer.catch(() => undefined)
  })
  await line.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] })
  return { sent, [Symbol.asyncDispose]: () => line.detach() }
}
