import { expect, test } from 'vitest'
import { judgeOfFile } from './sniff.ts'

function typeOf(bytes: Buffer) {
  const judge = judgeOfFile()
  return judge.mayGoOn(bytes) ? judge.type() : undefined
}
const latin1 = (text: string) => Buffer.from(text, 'latin1')
/** The header of an EBML document, as FFmpeg writes it. */
const webm = (kind: string) =>
  Buffer.concat([
    latin1('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08'),
    Buffer.from([0x42, 0x82, 0x80 + kind.length]),
    latin1(`${kind}\x42\x87\x81\x04`),
  ])

test.each([
  ['image/png', latin1('\x89PNG\r\n\x1a\n\0\0')],
  ['image/jpeg', latin1('\xff\xd8\xff\xe0\0')],
  ['image/gif', latin1('GIF89a\0')],
  ['image/webp', latin1('RIFF\0\0\0\0WEBPVP8 ')],
  ['application/pdf', latin1('%PDF-1.7\n')],
  ['text/plain', Buffer.from('Grüße,\r\n\tAda\n')],
  ['text/plain', Buffer.from('<svg onload="alert(1)"/>')],
  [undefined, latin1('\x7fELF\x02\x01\0')],
  ['application/zip', latin1('PK\x03\x04\x14\0')],
  ['application/zip', latin1('PK\x05\x06\0\0')],
  ['application/gzip', latin1('\x1f\x8b\x08\0\0\0\0\0')],
  ['video/mp4', latin1('\0\0\0\x20ftypisom\0\0\x02\0')],
  ['video/mp4', latin1('\0\0\0\x18ftypmp42\0\0\0\0')],
  ['video/webm', webm('webm')],
  ['text/plain', Buffer.from('\x1b[32m[12:00:00 INFO]\x1b[0m: Done\n')],
  ['text/plain', Buffer.from('{"ok": true}')],
  ['text/plain', Buffer.from('server:\n  port: 25565\n')],
  [undefined, webm('matroska')],
  [undefined, latin1('\0\0\0\x18ftypheic\0\0\0\0')],
  [undefined, latin1('\0\0\0\x14ftypqt  \0\0\0\0')],
  ['text/plain', Buffer.from('one\ftwo\r\n')],
  [undefined, Buffer.from('one\vtwo')],
  [undefined, Buffer.from('one\btwo')],
  [undefined, latin1('MZ\x90\0\x03\0')],
  [undefined, latin1('\x1f\x8b\x07')],
  [undefined, latin1('RIFF\0\0\0\0WAVEfmt ')],
  [undefined, latin1('\xc3\x28')],
  [undefined, Buffer.alloc(0)],
])('recognises %s by content', (type, bytes) => {
  expect(typeOf(bytes)).toBe(type)
})

test('recognises a file that arrives byte by byte', () => {
  const judge = judgeOfFile()
  for (const byte of webm('webm')) expect(judge.mayGoOn(Buffer.from([byte]))).toBe(true)
  expect(judge.type()).toBe('video/webm')
  const other = judgeOfFile()
  const program = Buffer.concat([latin1('\x7fELF'), Buffer.alloc(66)])
  const judged = [...program].map((byte) => other.mayGoOn(Buffer.from([byte])))
  expect(judged.indexOf(false)).toBe(63)
})
