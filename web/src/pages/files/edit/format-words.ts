import type { Encoding, LineEnd } from './text-file.ts'
import { t } from './words.ts'

export const encodingWord = (encoding: Encoding): string =>
  ({
    'utf-8': t.encodingUtf8,
    'utf-8-bom': t.encodingBom,
    'utf-16le': t.encodingUtf16le,
    'utf-16be': t.encodingUtf16be,
    latin1: t.encodingLatin1,
  })[encoding]

export const lineEndWord = (lineEnd: LineEnd): string =>
  ({ lf: t.endsLf, crlf: t.endsCrlf, cr: t.endsCr, mixed: t.endsMixed })[lineEnd]
