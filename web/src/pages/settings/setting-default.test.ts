import { expect, test } from 'vitest'
import { defaultWords, fieldDefault } from './setting-default.ts'
import { LIMIT_USE, MAIL, SECURITY } from './settings-groups.ts'

test('a default has the form of its field’s value', () => {
  expect(fieldDefault(MAIL, 'port', { default: 587 }, 25)).toBe(587)
  expect(fieldDefault(MAIL, 'host', { default: null }, 'mail.example.com')).toBe('')
  expect(fieldDefault(MAIL, 'signs', { default: null }, true)).toBe(false)
  expect(fieldDefault(SECURITY, 'addresses', { default: [] }, '192.0.2.1')).toBe('')
})

test('parts of one setting have no default of their own', () => {
  expect(fieldDefault(MAIL, 'selector', { default: null }, 'lodge')).toBeUndefined()
})

test('built-in defaults need no request', () => {
  expect(fieldDefault(LIMIT_USE, 'warnPercent', undefined, 90)).toBe(80)
  expect(fieldDefault(MAIL, 'port', undefined, 25)).toBeUndefined()
})

test.each([
  [80, [], '80'],
  [true, [], 'On'],
  ['', [], 'empty'],
  ['refuse', [{ value: 'refuse', label: 'Refuse' }], 'Refuse'],
] as const)('the default %o is shown as %s', (usual, choices, words) => {
  expect(defaultWords(usual, choices)).toBe(words)
})
