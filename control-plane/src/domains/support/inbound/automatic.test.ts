import { expect, test } from 'vitest'
import { automaticOf, type MailHeaders } from './automatic.ts'

test.each<[MailHeaders, string, string | undefined]>([
  [{}, 'ann@example.com', undefined],
  [{ 'auto-submitted': 'no' }, 'ann@example.com', undefined],
  [{ 'x-auto-response-suppress': 'None' }, 'ann@example.com', undefined],
  [{ precedence: 'first-class' }, 'ann@example.com', undefined],
  [{ 'auto-submitted': 'auto-replied' }, 'ann@example.com', 'auto_reply'],
  [{ 'auto-submitted': 'Auto-Generated; owner=a' }, 'ann@example.com', 'auto_reply'],
  [{ 'x-autoreply': 'yes' }, 'ann@example.com', 'auto_reply'],
  [{ precedence: 'auto_reply' }, 'ann@example.com', 'auto_reply'],
  [{ precedence: 'Bulk' }, 'ann@example.com', 'bulk'],
  [{ precedence: 'junk' }, 'ann@example.com', 'bulk'],
  [{ 'list-id': '<all.example.com>' }, 'ann@example.com', 'bulk'],
  [{ 'return-path': '<>' }, 'ann@example.com', 'bounce'],
  [{}, 'MAILER-DAEMON@mx.example.com', 'bounce'],
  [{ 'content-type': 'multipart/report; report-type=delivery-status' }, 'mx@example.com', 'bounce'],
  [
    { 'content-type': 'multipart/report; report-type=disposition-notification' },
    'ann@example.com',
    'auto_reply',
  ],
])('%j from %s is %s', (headers, from, kind) => {
  expect(automaticOf(headers, from)).toBe(kind)
})
