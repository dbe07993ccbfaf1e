import { createRequire } from 'node:module'
import path from 'node:path'
import type PDFDocument from 'pdfkit'

const WEIGHTS = { regular: 400, bold: 600 } as const
export type Weight = keyof typeof WEIGHTS

/** The files of the panel's typeface with the characters that each has, in hexadecimal ranges. */
const FILES = {
  latin:
    '20-7e a0-ac ae-ff 131 152-153 2bc 2c6 2da 2dc 2013-2014 2018-201a 201c-201e 2022 2026 2039-203a 2044 20ac 2122 2212',
  'latin-ext':
    '100-113 116-12b 12e-130 132-137 139-13e 141-148 14a-14d 150-151 154-17e 18f 192 1cd-1ce 1e4-1e9 218-21b 237 259 1e20-1e21 1e80-1e85 1e9e 2020 20aa 20b1 20b4 20b9 20bd',
  vietnamese: '1a0-1a1 1af-1b0 1ea0-1ef9',
  cyrillic: '400-45f 490-491 4b0-4b1 2116',
  'cyrillic-ext':
    '462-463 46a-46b 472-475 492-493 496-497 49a-49b 4a2-4a3 4ae-4af 4b2-4b3 4b6-4b7 4ba-4bb 4c0 4cf 4d8-4d9 4e2-4e3 4e8-4e9 4ee-4ef',
} as const
type File = keyof typeof FILES

const HEX = 16
const fileOf: ReadonlyMap<string, File> = new Map(
  (Object.keys(FILES) as File[]).flatMap((file) =>
    FILES[file].split(' ').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, HEX))
      return Array.from(
        { length: last - first + 1 },
        (_, at) => [String.fromCodePoint(first + at), file] as const,
      )
    }),
  ),
)

/** Replaces characters that no file has. */
const UNKNOWN = '?'

export interface Run {
  readonly file: File
  readonly text: string
}

/**
 * Splits a line of text into runs that one font file can draw each. Characters that no file has
 * become question marks; invisible ones, such as direction marks, are dropped.
 */
export function runsOf(text: string): Run[] {
  const runs: { file: File; text: string }[] = []
  const seen = text
    .normalize('NFC')
    .replaceAll(/\s/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{M}]/gu, '')
  for (const one of seen) {
    const known = fileOf.get(one)
    const file = known ?? 'latin'
    const last = runs.at(-1)
    // A space joins the run before it.
    if (last && (last.file === file || one === ' ')) last.text += known ? one : UNKNOWN
    else runs.push({ file, text: known ? one : UNKNOWN })
  }
  return runs
}

export const typefaceName = (file: File, weight: Weight): string => `${file}-${weight}`

/** Registers the typeface with a document; a file is opened on first use. */
export function registerTypeface(document: PDFDocument): void {
  const folder = path.dirname(
    createRequire(import.meta.url).resolve('@fontsource/geist/files/geist-latin-400-normal.woff'),
  )
  for (const file of Object.keys(FILES) as File[])
    for (const weight of Object.keys(WEIGHTS) as Weight[])
      document.registerFont(
        typefaceName(file, weight),
        path.join(folder, `geist-${file}-${WEIGHTS[weight]}-normal.woff`),
      )
}
