import { expect, test } from 'vitest'
import { Redactor } from './redact.ts'

const known = { secrets: ['hunter2-hunter2', 'abc'], ownAddresses: ['203.0.113.7'] }
const redacted = (text: string) => new Redactor(known).text(text)
const PEM = '-----BEGIN PRIVATE KEY-----'

test.each([
  ['Authorization: Bearer x', 'x'],
  ['authorization=Basic dTpw', 'dTpw'],
  ['{"Authorization": "Bearer topsecret"}', 'topsecret'],
  ['Cookie: lodge_session=abcdef; a=b', 'abcdef'],
  ['sent Bearer mF_9.B5f-4.1JqM', 'mF_9'],
  ['password: letmein', 'letmein'],
  ['MYSQL_PASSWORD=let-me-in', 'let-me-in'],
  ['{"apiKey":"a b c"}', 'a b c'],
  ["rcon.password = 'two words'", 'two words'],
  ['GET /?token=abcdef&x=1', 'abcdef'],
  ['postgres://app:geheim@db/x', 'geheim'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'eyJzdWIi'],
  ['hook https://discord.com/api/webhooks/123/aB-c_d', 'aB-c_d'],
  ['hook https://hooks.slack.com/services/T0/B0/xyz', 'xyz'],
  ['aws AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
  ['git ghp_0123456789abcdefghij', '0123456789'],
  ['the secret is hunter2-hunter2.', 'hunter2'],
  [`${PEM}\nMIIEvQ\n-----END PRIVATE KEY-----`, 'MIIEvQ'],
  [`${PEM}\nMIIEvQ and no end`, 'MIIEvQ'],
  ['joined: ann.b+c@mail.example.com', 'ann'],
  ['/8.8.4.4:5000 logged in', '8.8.4.4'],
  ['[2a00:1450:4001:82a::200e]:443', '2a00:1450'],
])('%j loses what is secret in it', (text, secret) => {
  const result = redacted(text)
  expect(result).not.toContain(secret)
  expect(result).toContain('[redacted ')
})

test.each([
  'Done (3.141s)! For help, type "help"',
  'Listening on 0.0.0.0:25565 and 10.0.0.7 and 203.0.113.7',
  'Loaded 12:30:05 version 1.21.4',
  'monkey business with a basic idea: abc',
  'std::vector at ::1',
])('%j stays as it is', (text) => expect(redacted(text)).toBe(text))

test('counts what each rule redacts', () => {
  const redactor = new Redactor(known)
  redactor.lines(['password=a1 token=b2', 'mail a@example.com', 'Authorization: Bearer x'])
  expect(redactor.counts).toMatchObject({ key_or_password: 2, email: 1, header: 1, token: 0 })
})

test('redacts a long hostile output quickly', () => {
  // CPU time, which does not grow on a busy machine.
  const start = process.cpuUsage()
  for (const piece of ['password', 'a.', 'a:', 'http://', '-----BEGIN ', '1.', 'bearer ', 'a@a.'])
    new Redactor(known).lines(Array(200).fill(piece.repeat(2000)))
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(1500)
})
