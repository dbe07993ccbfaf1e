import { expect, test } from 'vitest'
import { typeOf } from './sniff.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['image/png', latin1('\x89PNG\r\n\x1a\n\0\0')],
  ['image/jpeg', latin1('\xff\xd8\xff\xe0\0')],
  ['image/gif', latin1('GIF89a\0')],
  ['image/webp', latin1('RIFF\0\0\0\0WEBPVP8 ')],
  ['application/pdf', latin1('%PDF-1.7\n')],
  ['text/plain', Buffer.from('Grüße,\r\n\tAda\n')],
  ['text/plain', Buffer.from('<svg onload="alert(1)"/>')],
  [undefined, latin1('\x7fELF\x02\x01\0')],
  [undefined, latin1('PK\x03\x04')],
  [undefined, latin1('RIFF\0\0\0\0WAVEfmt ')],
  [undefined, latin1('\xc3\x28')],
  [undefined, Buffer.alloc(0)],
])('a file is known as %s by its content', (type, bytes) => {
  expect(typeOf(bytes)).toBe(type)
})
