import { expect, test } from 'vitest'
import { markedParts } from './marked-parts.ts'

const shown = (text: string, typed: string): string =>
  markedParts(text, typed)
    .map(({ part, found }) => (found ? `[${part}]` : part))
    .join('')

test.each([
  ['Private key (PEM)', 'key priv', '[Priv]ate [key] (PEM)'],
  ['Private key (PEM)', '(pem', 'Private key [(PEM])'],
  ['Host', '', 'Host'],
  ['Host', 'smtp', 'Host'],
])('in %o the words of %o are found', (text, typed, expected) => {
  expect(shown(text, typed)).toBe(expected)
})
