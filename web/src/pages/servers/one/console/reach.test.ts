import { expect, test } from 'vitest'
import { gotThrough, whyBlocked } from './reach.ts'

test('failed handshakes are called blocked after three, unless one has got through', () => {
  expect([whyBlocked(), whyBlocked()]).toEqual([undefined, undefined])
  expect(whyBlocked()).toContain('no WebSocket')
  gotThrough()
  expect(whyBlocked()).toBeUndefined()
})
