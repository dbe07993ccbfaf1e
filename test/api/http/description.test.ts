import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
let origin: string
beforeAll(async () => {
  lodge = await startLodge()
  origin = `http://127.0.0.1:${lodge.controlPlane.port}`
})
afterAll(() => lodge[Symbol.asyncDispose]())

test('the API description is a page that loads nothing from elsewhere', async () => {
  const page = await fetch(`${origin}/docs/api`)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await page.text()
  expect(text).toContain('<title>API reference · Lodge</title>')
  const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src ?? '')
  expect(scripts.length).toBeGreaterThan(0)
  for (const src of scripts) {
    const url = new URL(src, page.url)
    expect(url.origin).toBe(origin)
    const script = await fetch(url)
    expect(script.status).toBe(200)
    expect(script.headers.get('content-type')).toContain('javascript')
    expect((await script.text()).length).toBeGreaterThan(100_000)
  }
})

test('unknown files of the page are not found', async () => {
  expect((await fetch(`${origin}/docs/api/js/nothing.js`)).status).toBe(404)
})
