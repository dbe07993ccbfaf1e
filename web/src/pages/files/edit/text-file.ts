/** Text files: their text, with the encoding and line ends to keep when they are written back. */

export const ENCODINGS = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'latin1'] as const
export type Encoding = (typeof ENCODINGS)[number]
export type LineEnd = 'lf' | 'crlf' | 'cr' | 'mixed'

export interface TextFormat {
  readonly encoding: Encoding
  readonly lineEnd: LineEnd
}

export interface TextFile extends TextFormat {
  /** With line feeds only, unless they are mixed. */
  readonly text: string
}

const BOMS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8-bom', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
/** As in other tools, a zero byte within the first bytes means that a file is binary. */
const LOOKED_AT = 8_192
const PIECE = 32_768

/** The text of a file; undefined for one that is not text. */
export function decode(bytes: Uint8Array): TextFile | undefined {
  const [encoding, bom] = BOMS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [
    undefined,
    [],
  ]
  const body = bytes.subarray(bom.length)
  if (encoding === 'utf-16le' || encoding === 'utf-16be')
    return withEnds(new TextDecoder(encoding).decode(body), encoding)
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return withEnds(text, encoding ?? 'utf-8')
  } catch {
    return withEnds(latin1(bytes), 'latin1')
  }
}

/** Maps every byte to the character with its number, so that all of them survive. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return text
}

function withEnds(text: string, encoding: Encoding): TextFile {
  const lineEnd = lineEndOf(text)
  return { text: lineEnd === 'mixed' ? text : text.replaceAll(/\r\n?/g, '\n'), encoding, lineEnd }
}

function lineEndOf(text: string): LineEnd {
  const both = text.match(/\r\n/g)?.length ?? 0
  const feeds = (text.match(/\n/g)?.length ?? 0) - both
  const returns = (text.match(/\r/g)?.length ?? 0) - both
  const kinds = [both, feeds, returns].filter((count) => count > 0).length
  if (kinds > 1) return 'mixed'
  return both > 0 ? 'crlf' : returns > 0 ? 'cr' : 'lf'
}

const ENDS: Readonly<Record<Exclude<LineEnd, 'mixed'>, string>> = {
  lf: '\n',
  crlf: '\r\n',
  cr: '\r',
}

/** Whether a text can be written in its encoding; otherwise it becomes UTF-8. */
export const fits = (text: string, { encoding }: TextFormat): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of the first 256 characters fit
  encoding !== 'latin1' || /^[\u0000-\u00ff]*$/.test(text)

/** The bytes of a text in the format that its file had. */
export function encode(text: string, format: TextFormat): Uint8Array<ArrayBuffer> {
  const { encoding, lineEnd } = format
  const whole = lineEnd === 'mixed' ? text : text.replaceAll(/\r\n?|\n/g, ENDS[lineEnd])
  if (encoding === 'latin1' && fits(whole, format))
    return Uint8Array.from(whole, (letter) => letter.charCodeAt(0))
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return utf16(whole, encoding)
  return new TextEncoder().encode(encoding === 'utf-8-bom' ? `\ufeff${whole}` : whole)
}

function utf16(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array<ArrayBuffer> {
  const whole = `\ufeff${text}`
  const view = new DataView(new ArrayBuffer(whole.length * 2))
  for (let at = 0; at < whole.length; at++)
    view.setUint16(at * 2, whole.charCodeAt(at), encoding === 'utf-16le')
  return new Uint8Array(view.buffer)
}
