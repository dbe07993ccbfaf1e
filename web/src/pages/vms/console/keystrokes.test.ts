import { expect, test } from 'vitest'
import { strokesOf } from './keystrokes.ts'

test('letters, digits and symbols become keys of a US keyboard, with shift if necessary', () => {
  expect(strokesOf('aA1!/?')).toEqual([
    { keysym: 0x61, code: 'KeyA', shift: false },
    { keysym: 0x41, code: 'KeyA', shift: true },
    { keysym: 0x31, code: 'Digit1', shift: false },
    { keysym: 0x21, code: 'Digit1', shift: true },
    { keysym: 0x2f, code: 'Slash', shift: false },
    { keysym: 0x3f, code: 'Slash', shift: true },
  ])
})

test('a line break of any system is one press of Enter', () => {
  for (const text of ['\n', '\r', '\r\n'])
    expect(strokesOf(text)).toEqual([{ keysym: 0xff0d, code: 'Enter', shift: false }])
})

test('a character that a US keyboard lacks is sent by keysym alone', () => {
  expect(strokesOf('é€')).toEqual([
    { keysym: 0xe9, code: null, shift: false },
    { keysym: 0x010020ac, code: null, shift: false },
  ])
})

test('every printable ASCII character has a key', () => {
  const all = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
  expect(strokesOf(all).filter(({ code }) => code === null)).toEqual([])
})
