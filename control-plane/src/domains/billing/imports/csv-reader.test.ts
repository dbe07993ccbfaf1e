import { expect, test } from 'vitest'
import { CsvReader } from './csv-reader.ts'

/** The rows of a text that arrives in chunks of the given length. */
function read(text: string, length = text.length || 1) {
  const reader = new CsvReader('file.csv')
  const rows = []
  for (let at = 0; at < text.length; at += length)
    rows.push(...reader.read(text.slice(at, at + length)))
  rows.push(...reader.end())
  return rows
}

test('reads quotes, separators, line ends and NULL, however the text is split into chunks', () => {
  const text = 'id,name,note\r\n1,"a ""b"", c\r\nd",NULL\r\n\r\n2,"",\\N\r\n"3","NULL",  x '
  const rows = [
    ['id', 'name', 'note'],
    ['1', 'a "b", c\r\nd', null],
    ['2', '', null],
    ['3', 'NULL', '  x '],
  ]
  for (let length = 1; length <= text.length; length += 1)
    expect(read(text, length), `parts of ${length}`).toEqual(rows)
})

test.each([';', '\t'])('finds in the first line that fields are separated by "%s"', (separator) => {
  expect(read(`a${separator}b\n1,5${separator}2`)).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ])
})

test.each([
  ['a,b\n1,"x', 'line 2, has a quote that nothing closes'],
  ['a,b\n1,x"y"', 'line 2, has a quote inside a field without quotes'],
  ['a,b\n"1"x,2', 'line 2, goes on after a closing quote'],
  [`a,b\n1,"${'x'.repeat(1_100_000)}"`, 'line 2, is too long'],
  ['x'.repeat(1_100_000), 'line 1, is too long'],
])('refuses %#, and says where', (text, why) => {
  expect(() => read(text, 65_536)).toThrow(why)
})
