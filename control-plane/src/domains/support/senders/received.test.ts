import { expect, test } from 'vitest'
import { handedOverBy } from './received.ts'

const read = (...lines: string[]) =>
  handedOverBy(Buffer.from(`${lines.join('\r\n')}\r\nFrom: ann@example.org\r\n\r\nReceived: x\r\n`))
const BY =
  'by relay.example (Postfix) with ESMTPS id 4Xk for <support@desk.example>; Fri, 27 Nov 2026'

test.each([
  [
    'Postfix',
    'from mx.example.org (mx.example.org [203.0.113.9])',
    '203.0.113.9',
    'mx.example.org',
  ],
  ['sendmail', 'from mx (m.example [203.0.113.9] (may be forged))', '203.0.113.9', 'mx'],
  [
    'Exim',
    'from mx.example.org ([203.0.113.9] helo=mx.example.org)',
    '203.0.113.9',
    'mx.example.org',
  ],
  [
    'Postfix with TLS',
    'from m (m.example [203.0.113.9]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) (No client certificate requested)',
    '203.0.113.9',
    'm',
  ],
  ['Exim with a port', 'from m.example ([203.0.113.9]:54321 helo=other)', '203.0.113.9', 'other'],
  ['Exim, of a client that gave its name', 'from mx ([203.0.113.9])', '203.0.113.9', 'mx'],
  ['Exim, of an address without a name', 'from [203.0.113.9] (helo=mx)', '203.0.113.9', 'mx'],
  [
    'Exim, of an address without a name, with all that it can note',
    'from [2001:db8::9] (port=54321 helo=mx.example ident=root)',
    '2001:db8::9',
    'mx.example',
  ],
  ['IPv6', 'from mx.example (unknown [IPv6:2001:db8::9])', '2001:db8::9', 'mx.example'],
  ['a literal', 'from [198.51.100.1] (unknown [203.0.113.9])', '203.0.113.9', '[198.51.100.1]'],
])('parses the client as written by %s', (_by, from, clientAddress, helo) => {
  expect(read(`Received: ${from}`, `\t${BY}`)).toEqual({ clientAddress, helo })
})

test('only the top field counts, wherever it is folded', () => {
  const top = [
    'Return-Path: <ann@example.org>',
    'Received: from a.example',
    '\t(a.example',
    ' [203.0.113.9])',
  ]
  const older = `Received: from b.example (b.example [198.51.100.7]) ${BY}`
  expect(read(...top, `\t${BY}`, older)).toMatchObject({ clientAddress: '203.0.113.9' })
  expect(read(`Received: ${BY}`, older)).toBeUndefined()
})

test.each([
  ['none', 'X-Other: from a (a [203.0.113.9])'],
  ['no address', 'Received: from a.example (a.example)'],
  ['no address of a kind that there is', 'Received: from a.example (a [203.0.113.999])'],
  ['a name with an address in it', 'Received: from a (x [198.51.100.7]) (real [203.0.113.9])'],
  ['a name with an end in it', 'Received: from a (x [198.51.100.7]) by y (real [203.0.113.9])'],
  ['a literal alone', 'Received: from [198.51.100.7]'],
  ['a literal that the client gave', 'Received: from [198.51.100.7] (helo=mx) (203.0.113.9)'],
  [
    'a literal and a name that looks like more',
    'Received: from [198.51.100.7] (helo=a [203.0.113.9])',
  ],
  [
    'two addresses, of which either may be a name',
    'Received: from [198.51.100.7] (helo=203.0.113.9)',
  ],
  ['a literal and a name of it', 'Received: from [198.51.100.7] (mx.example)'],
  [
    'the name of the client where its address should be',
    'Received: from unknown (HELO [198.51.100.7]) (203.0.113.9)',
  ],
  ['the same and IPv6', 'Received: from unknown (EHLO [198.51.100.7]) (2001:db8::9)'],
  ['a name that looks like all of it', 'Received: from a (b [198.51.100.7]) (unknown 203.0.113.9)'],
  ['brackets in the name', 'Received: from [a[198.51.100.7]] (real [203.0.113.9])'],
])('reads nothing from a field with %s', (_what, field) => {
  expect(read(field, `\t${BY}`)).toBeUndefined()
})

test('a mail without an end of its header, or an empty one, has none', () => {
  expect(handedOverBy(Buffer.alloc(0))).toBeUndefined()
  expect(handedOverBy(Buffer.alloc(200_000, 'Received : from '))).toBeUndefined()
})
