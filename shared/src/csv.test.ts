import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('a line separates its cells, and quotes what would end one', () => {
  expect(csvLine(['a', 1.5, true, null, 'b,c', 'say "so"', 'two\nlines'])).toBe(
    'a,1.5,true,,"b,c","say ""so""","two\nlines"\r\n',
  )
})

test.each(['=1+1', '+1', '-1+1', '-1e9x', '@sum(A1)', '\tx', '＝1+1'])(
  '%j is text, not a formula',
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`)
  },
)

test('nothing becomes a formula in a spreadsheet that separates cells by semicolons', () => {
  expect(csvLine(['a;=1+1;-x;b; c', 'a\t@b'])).toBe("a;'=1+1;'-x;b; c,a\t'@b\r\n")
  expect(csvLine(['x;"=A1;', 'a\n=1', 'a;＝1'])).toBe(`"x;""'=A1;","a\n'=1",a;'＝1\r\n`)
})

test('a negative number stays a number, also an amount', () => {
  expect(csvLine([-1, '-81.66'])).toBe('-1,-81.66\r\n')
})
