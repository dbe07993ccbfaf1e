import { inflateSync } from 'node:zlib'

const HEX = 16

/** The objects of a PDF by number: their dictionary, and their stream if they have one. */
function objectsOf(file: Buffer): Map<string, { dictionary: string; stream: string }> {
  const text = file.toString('latin1')
  const objects = new Map<string, { dictionary: string; stream: string }>()
  for (const [, id = '', body = ''] of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, dictionary = body, bytes] =
      /^([\s\S]*?)\nstream\n([\s\S]*)\nendstream/.exec(body) ?? []
    const isPacked = dictionary.includes('/FlateDecode')
    const raw = Buffer.from(bytes ?? '', 'latin1')
    const stream = bytes === undefined ? '' : (isPacked ? inflateSync(raw) : raw).toString('latin1')
    objects.set(id, { dictionary, stream })
  }
  return objects
}

const fromUtf16 = (hex: string): string => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** The text for the codes of a font, as the PDF defines it for copying. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>()
  // A ligature maps to several letters, separated by spaces.
  for (const [, block = ''] of map.matchAll(/beginbfrange\n([\s\S]*?)\nendbfrange/g))
    for (const [, first = '', list = ''] of block.matchAll(/<(\w+)> <\w+> \[([^\]]*)\]/g))
      [...list.matchAll(/<([\w ]+)>/g)].forEach(([, hex = ''], at) => {
        letters.set(Number.parseInt(first, HEX) + at, fromUtf16(hex.replaceAll(' ', '')))
      })
  return letters
}

/** The texts of a PDF by pdfkit, in drawing order. */
export function textsOf(file: Buffer): string[] {
  const objects = objectsOf(file)
  const fonts = new Map<string, Map<number, string>>()
  for (const { dictionary } of objects.values())
    for (const [, name = '', id = ''] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? '') ?? []
      fonts.set(name, lettersOf(objects.get(map)?.stream ?? ''))
    }
  const texts: string[] = []
  for (const { stream } of objects.values())
    for (const [, name = '', shown = ''] of stream.matchAll(/\/(F\d+) [\d.]+ Tf\n\[([^\]]*)\] TJ/g))
      texts.push(
        [...shown.matchAll(/<(\w+)>/g)]
          .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
          .map((code) => fonts.get(name)?.get(Number.parseInt(code, HEX)) ?? '\ufffd')
          .join(''),
      )
  return texts
}
