import { expect, test } from 'vitest'
import { signatureHeaders } from '../../notifications/channels/signature.ts'
import { verifiedId } from './verify.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const id = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
const text =
  '{"type":"server.crashed","timestamp":"2023-01-19T00:13:51Z","data":{"serverId":"0191"}}'
const now = new Date(1_674_087_231_000)
const headers = {
  'webhook-id': id,
  'webhook-timestamp': '1674087231',
  'webhook-signature': 'v1,ZfJAYLa4jT/x6dkmBejO+Eut6zOlE9aQiXdHpfjIHzo=',
}
const given = { headers, body: Buffer.from(text), secrets: [secret], now }
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('accepts a message signed by the bridge', () => {
  expect(verifiedId(given)).toBe(id)
})

test('what Lodge signs itself is accepted, with either secret during a rotation', () => {
  const sent = signatureHeaders({ id, at: now, body: text, secrets: [secret, other] })
  for (const one of [secret, other])
    expect(verifiedId({ ...given, headers: sent, secrets: [one] })).toBe(id)
})

test.each([
  ['another body', { body: Buffer.from(`${text} `) }],
  ['another order of the same JSON', { body: Buffer.from('{"data":1,"type":2}') }],
  ['another secret', { secrets: [other] }],
  ['no secret', { secrets: [] }],
  ['a message of more than five minutes ago', { now: later(301) }],
  ['a message of the future', { now: later(-301) }],
  ['another id', { headers: { ...headers, 'webhook-id': 'msg_2' } }],
  ['another time', { headers: { ...headers, 'webhook-timestamp': '1674087232' } }],
  ['no signature', { headers: { ...headers, 'webhook-signature': undefined } }],
  ['an asymmetric signature', { headers: { ...headers, 'webhook-signature': 'v1a,AAAA' } }],
  ['a short signature', { headers: { ...headers, 'webhook-signature': 'v1,AAAA' } }],
  ['a time in words', { headers: { ...headers, 'webhook-timestamp': 'NaN' } }],
])('%s is refused', (_what, changed) => {
  expect(verifiedId({ ...given, ...changed })).toBeUndefined()
})

test('four minutes of difference are accepted', () => {
  expect(verifiedId({ ...given, now: later(299) })).toBe(id)
  expect(verifiedId({ ...given, now: later(-299) })).toBe(id)
})
