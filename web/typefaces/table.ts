import type { createFontStack } from '@capsizecss/core'

/** Nothing in the panel is lighter or heavier. */
export const WEIGHTS = { min: 400, max: 600 }

const span = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')

const ASCII = span(0x20, 0x7e)
/** The letters of western Europe. */
const WESTERN = `${span(0xa0, 0xff)}ŒœŠšŽžŸı`
/** The signs in the panel's own texts. */
const SIGNS = '–—‘’“”„‚‹›•…−→←↑↓⌘€'

/** Characters that share a file; browsers fetch the file only for a page that has some of them. */
export interface Part {
  readonly name: string
  /** The package's file that has them. */
  readonly from: 'latin' | 'latin-ext'
  readonly text: string
}
const extended: Part = {
  name: 'latin-ext',
  from: 'latin-ext',
  text: `${span(0x100, 0x17f)}${span(0x218, 0x21b)}${span(0x1e80, 0x1e85)}ẞỲỳ₤₦₩₫₱₹₺₽`,
}

/** An open font of the panel, and what stands in for it. */
export interface Typeface {
  readonly family: string
  readonly package: string
  /** Begin of the package's file names. */
  readonly file: string
  readonly parts: readonly Part[]
  /** The part that is fetched before the styles are read, because every page uses it. */
  readonly preload?: Part['name']
  /** Ligatures would change what an address or a command says. */
  readonly features: readonly string[]
  /** As in the font files; unitsPerEm 1000. */
  readonly metrics: Metrics
  /** The installed font that stands in until the file arrives, fitted to the same metrics. */
  readonly standIn: Metrics
}
type Metrics = Parameters<typeof createFontStack>[0][number]

const GEIST = { ascent: 1005, descent: -295, lineGap: 0, unitsPerEm: 1000 }
export const TYPEFACES: readonly Typeface[] = [
  {
    family: 'Geist',
    package: '@fontsource-variable/geist',
    file: 'geist',
    parts: [{ name: 'latin', from: 'latin', text: ASCII + WESTERN + SIGNS }, extended],
    preload: 'latin',
    features: ['kern', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'case'],
    metrics: { familyName: 'Geist', ...GEIST, xWidthAvg: 467 },
    standIn: {
      familyName: 'Arial',
      ascent: 1854,
      descent: -434,
      lineGap: 67,
      unitsPerEm: 2048,
      xWidthAvg: 913,
    },
  },
  {
    family: 'Geist Mono',
    package: '@fontsource-variable/geist-mono',
    file: 'geist-mono',
    // Addresses and commands have no other letters.
    parts: [
      { name: 'ascii', from: 'latin', text: ASCII + SIGNS },
      { name: 'latin', from: 'latin', text: WESTERN },
      extended,
    ],
    features: ['ccmp', 'locl', 'mark', 'mkmk'],
    metrics: { familyName: 'Geist Mono', ...GEIST, xWidthAvg: 600 },
    standIn: {
      familyName: 'Courier New',
      ascent: 1705,
      descent: -615,
      lineGap: 0,
      unitsPerEm: 2048,
      xWidthAvg: 1229,
    },
  },
]
