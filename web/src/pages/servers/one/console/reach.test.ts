import { expect, test } from 'vitest'
import { gotThrough, whyBlocked } from './reach.ts'

test('three failed handshakes count as blocked, unless one has succeeded', () => {
  expect([whyBlocked(), whyBlocked()]).toEqual([undefined, undefined])
  expect(whyBlocked()).toContain('blocks WebSocket')
  gotThrough()
  expect(whyBlocked()).toBeUndefined()
})
