import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { servePages } from './pages.ts'

test('a monitor that asks with HEAD is answered as a browser is, without the page', async () => {
  const webFolder = mkdtempSync(path.join(tmpdir(), 'lodge-pages-'))
  try {
    writeFileSync(path.join(webFolder, 'index.html'), '<title>Lodge</title>')
    writeFileSync(path.join(webFolder, 'robots.txt'), 'User-agent: *')
    await using app = Fastify({ exposeHeadRoutes: false })
    await servePages(app, webFolder, async (html) => html, {})
    for (const url of ['/', '/servers', '/robots.txt', '/docs/help', '/docs/help/files']) {
      const page = await app.inject({ url })
      const head = await app.inject({ url, method: 'HEAD' })
      expect([head.statusCode, head.body], url).toEqual([200, ''])
      for (const name of ['content-type', 'cache-control'])
        expect(head.headers[name], url).toBe(page.headers[name])
    }
    for (const method of ['GET', 'HEAD'] as const)
      expect((await app.inject({ url: '/api/nothing', method })).statusCode).toBe(404)
  } finally {
    rmSync(webFolder, { recursive: true })
  }
})
