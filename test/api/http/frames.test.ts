import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lodge, startLodge } from '../../support/stack.ts'

let lodge: Lodge
beforeAll(async () => {
  lodge = await startLodge()
})
afterAll(() => lodge[Symbol.asyncDispose]())

async function frame(name: string) {
  const response = await fetch(`${lodge.url}/frames/${name}`)
  const page = await response.text()
  const script = /<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? ''
  const hash = createHash('sha256').update(script).digest('base64')
  return { policy: response.headers.get('content-security-policy') ?? '', hash }
}

test('the frame of mails has no origin, loads nothing and runs only its own script', async () => {
  const { policy, hash } = await frame('mail')
  const directives = policy.split('; ')
  expect(directives).toContain("default-src 'none'")
  expect(directives).toContain(`script-src 'sha256-${hash}'`)
  expect(directives).toContain('sandbox allow-scripts')
  expect(directives).toContain("frame-ancestors 'self'")
  expect(policy).not.toMatch(/connect-src|allow-same-origin|https?:/)
})

test.each([
  ['turnstile', 'https://challenges.cloudflare.com'],
  ['hcaptcha', 'https://*.hcaptcha.com'],
])('the frame of %s can load its provider, and the panel itself cannot', async (name, source) => {
  const { policy, hash } = await frame(name)
  expect(policy).toContain(source)
  expect(policy).toContain(hash)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

test('there are no other frames', async () => {
  const response = await fetch(`${lodge.url}/frames/other`)
  expect(response.headers.get('content-security-policy') ?? '').not.toContain('unsafe-inline')
})
