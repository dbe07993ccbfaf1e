import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { pushBrowser } from '../../../../../../test/api/notifications/push-browser.ts'
import { complainOfKeys, encryptPush, MAX_PUSH_BYTES } from './encrypt.ts'
import { vapidHeader, vapidOf } from './vapid.ts'

test('a message is encrypted as in the example of RFC 8291, section 5', () => {
  const text = 'When I grow up, I want to be a watermelon'
  const receiver = {
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const browser = pushBrowser(receiver)
  expect(browser.keys.p256dh).toBe(
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  )
  const body = encryptPush(Buffer.from(text), browser.keys, {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  })
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(browser.read(body)).toBe(text)
})

test('the largest message fills what push services accept, and a larger one is refused', () => {
  const browser = pushBrowser()
  const largest = Buffer.alloc(MAX_PUSH_BYTES, 'x')
  const body = encryptPush(largest, browser.keys)
  expect(body).toHaveLength(4096)
  expect(browser.read(body)).toBe(largest.toString())
  expect(() => encryptPush(Buffer.alloc(MAX_PUSH_BYTES + 1), browser.keys)).toThrow('too long')
  expect(() => pushBrowser().read(body)).toThrow()
})

test('keys that no browser creates are refused', () => {
  const { keys } = pushBrowser()
  expect(complainOfKeys(keys)).toBeUndefined()
  const point = Buffer.from(keys.p256dh, 'base64url')
  const off = Buffer.from(point)
  off[64] = (off[64] ?? 0) ^ 1
  for (const p256dh of [off, point.subarray(1), Buffer.alloc(65), Buffer.alloc(0)])
    expect(complainOfKeys({ ...keys, p256dh: p256dh.toString('base64url') })).toContain('P-256')
  expect(complainOfKeys({ ...keys, auth: 'AAAA' })).toContain('16 bytes')
})

test('a request identifies the installation to its push service only, for half a day', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const vapid = vapidOf(privateKey.export({ format: 'jwk' }))
  const now = new Date('2026-11-27T12:00:00Z')
  const endpoint = 'https://push.example.com:8443/send/secret?x=1'
  const header = vapidHeader(vapid, endpoint, 'https://panel.example.com', now)
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(read(head)).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(read(claims)).toEqual({
    aud: 'https://push.example.com:8443',
    exp: now.getTime() / 1000 + 43_200,
    sub: 'https://panel.example.com',
  })
  expect(header).not.toContain('secret')
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.from(key ?? '', 'base64url')
  expect([point[0], point.toString('base64url', 1, 33), point.toString('base64url', 33)]).toEqual([
    ...[4, x, y],
  ])
  const shown = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const proof = { key: shown, dsaEncoding: 'ieee-p1363' } as const
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    proof,
    Buffer.from(signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
  expect(vapidHeader(vapid, endpoint, 'http://localhost:1', now)).not.toBe(header)
})
