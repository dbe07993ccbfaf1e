import { expect, test } from 'vitest'
import { newSecret, signatureHeaders } from './signature.ts'

test('a signature passes the check of the reference libraries of Standard Webhooks', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const at = new Date(1_614_265_330_000)
  const body = '{"test": 2432232314}'
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect(signatureHeaders({ id, at, body, secrets: [secret] })).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  const both = signatureHeaders({ id, at, body, secrets: [newSecret(), secret] })
  expect(both['webhook-signature']).toMatch(/^v1,\S{44} v1,g0hM9SsE/)
})
