import { expect, test } from 'vitest'
import { cutQuote, REPLY_ABOVE } from './cut-quote.ts'

test.each([
  ['nothing', 'Thanks!\n\nAnn', 'Thanks!\n\nAnn'],
  ['the marked line', `Thanks!\r\n\r\n> ${REPLY_ABOVE}\r\n> Hello Ann`, 'Thanks!'],
  ['an English head', 'Thanks!\n\nOn Mon, 16 Nov 2026 at 10:00, Desk wrote:\n> Hi', 'Thanks!'],
  [
    'a wrapped head',
    'Thanks!\n\nOn Mon, 16 Nov 2026 at 10:00, Desk\n<a@b.c> wrote:\nHi',
    'Thanks!',
  ],
  ['a German head', 'Danke!\n\nAm 16.11.2026 um 10:00 schrieb Desk:\n> Hallo', 'Danke!'],
  ['Outlook', 'Thanks!\n\n-----Original Message-----\nFrom: Desk', 'Thanks!'],
  ['a rule of Outlook', `Thanks!\n\n${'_'.repeat(32)}\nFrom: Desk`, 'Thanks!'],
  ['quoted lines at the end', 'Thanks!\n\n> Hi\n>\n> Desk\n', 'Thanks!'],
])('cuts %s', (_what, text, kept) => expect(cutQuote(text)).toBe(kept))

test('answers between quoted lines keep the quote', () => {
  const text = '> Which version?\n\n1.21\n\n> Which mods?\n\nNone'
  expect(cutQuote(text)).toBe(text)
})

test('a mail that only quotes keeps its quote', () => {
  expect(cutQuote('> Hi\n> Desk')).toBe('> Hi\n> Desk')
})

test('cuts a long hostile text quickly', () => {
  const start = performance.now()
  cutQuote(`On ${'wrote '.repeat(200_000)}`)
  cutQuote(`${'>'.repeat(1000)}\n`.repeat(1000))
  cutQuote('On a b\n'.repeat(20_000))
  cutQuote(`${'> a\n'.repeat(5000)}x`)
  expect(performance.now() - start).toBeLessThan(1000)
})
