import { expect, test } from 'vitest'
import { headerFault } from './header-fault.ts'

const fault = (header: string, body = 'text'): string | null =>
  headerFault(Buffer.from(`${header}\r\n\r\n${body}`))

test('accepts an ordinary header, whatever the text is', () => {
  expect(fault('From: a@b\r\nSubject: a\r\n b')).toBeNull()
  expect(fault('From: a@b', `\r\r\n${' '.repeat(10_000)}`)).toBeNull()
  expect(headerFault(Buffer.from('From: a@b\nSubject: with line feeds alone\n\ntext'))).toBeNull()
})

test.each([
  ['at the end of a line that only some take for the end', 'From: a@b\r\nX: y\r\n\r\r\nX: z'],
  ['within a line', 'From: a@b\r\nSubject: a\rb'],
])('a carriage return by itself %s is refused', (_, header) => {
  expect(fault(header)).toBe('Its header has a carriage return by itself')
})

test('refuses endless blanks, even across folded lines', () => {
  expect(fault(`a${' '.repeat(5_000)}b: x`)).toBe('Its header has too many blanks in a row')
  expect(fault(`a: b${'\r\n \t'.repeat(100)}c`)).toBe('Its header has too many blanks in a row')
})

test('limits the length and the lines of a header', () => {
  expect(fault(`X: ${'x'.repeat(300_000)}`)).toBe('Its header is too long')
  expect(fault('X: x\r\n'.repeat(4_000))).toBe('Its header is too long')
})
