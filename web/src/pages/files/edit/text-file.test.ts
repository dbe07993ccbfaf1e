import { expect, test } from 'vitest'
import { decode, encode, fits } from './text-file.ts'

const bytes = (...values: readonly number[]) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)

test.for([
  ['UTF-8 with line feeds', utf8('motd=Grüße\nport=1\n'), 'utf-8', 'lf'],
  ['UTF-8 with a mark and both', utf8('\ufeffa\r\nb\r\n'), 'utf-8-bom', 'crlf'],
  ['UTF-16', bytes(0xff, 0xfe, 0x61, 0, 0x0a, 0, 0xfc, 0), 'utf-16le', 'lf'],
  ['UTF-16 the other way round', bytes(0xfe, 0xff, 0, 0x61, 0, 0x0d), 'utf-16be', 'cr'],
  ['Latin 1', bytes(0x61, 0xfc, 0x0d, 0x0a), 'latin1', 'crlf'],
  ['mixed line ends', utf8('a\r\nb\nc\r'), 'utf-8', 'mixed'],
  ['nothing', bytes(), 'utf-8', 'lf'],
] as const)('%s come back byte for byte', ([, original, encoding, lineEnd]) => {
  const read = decode(original)
  expect(read).toMatchObject({ encoding, lineEnd })
  expect(read && [...encode(read.text, read)]).toEqual([...original])
})

test('a file with zero bytes is no text', () => {
  expect(decode(bytes(0x50, 0x4b, 3, 4, 0, 0))).toBeUndefined()
})

test('an added line ends as the others do', () => {
  const read = decode(utf8('a\r\nb'))
  expect(read && new TextDecoder().decode(encode(`${read.text}\nc`, read))).toBe('a\r\nb\r\nc')
})

test('what Latin 1 does not have makes the file UTF-8', () => {
  const format = { encoding: 'latin1', lineEnd: 'lf' } as const
  expect([fits('für', format), fits('5 €', format)]).toEqual([true, false])
  expect(new TextDecoder().decode(encode('5 €', format))).toBe('5 €')
})
