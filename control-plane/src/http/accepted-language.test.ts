import { expect, test } from 'vitest'
import { acceptedLanguage } from './accepted-language.ts'

test.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB, de;q=0.7', 'en'],
  ['fr-FR, fr;q=0.9, DE;q=0.4', 'de'],
  ['en;q=0.2, de;q=0.5', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['fr, *;q=0.5', undefined],
  ['*', undefined],
  ['', undefined],
  [undefined, undefined],
])('a request that accepts %s is answered in %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})
