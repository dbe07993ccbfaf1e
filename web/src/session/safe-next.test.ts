import { expect, test } from 'vitest'
import { safeNext } from './session.ts'

test.each([
  [undefined, '/'],
  ['', '/'],
  ['https://evil.example/', '/'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/servers?q=a', '/servers?q=a'],
  ['/servers/1/console', '/servers/1/console'],
])('after sign-in, next=%s leads to %s', (next, path) => {
  expect(safeNext(next)).toBe(path)
})
