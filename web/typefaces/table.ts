import type { createFontStack } from '@capsizecss/core'

/** Nothing in the panel is lighter or heavier. */
export const WEIGHTS = { min: 400, max: 600 }

const span = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).join('')

/** What every page needs: ASCII, Latin-1 and the signs in the panel's own texts. */
export const BASIC = `${span(0x20, 0x7e)}${span(0xa0, 0xff)}–—‘’“”„‚‹›•…−→←↑↓⌘€ŒœŠšŽžŸı`
/** Names in the other Latin alphabets; browsers fetch them only for a page that has some. */
export const EXTENDED = `${span(0x100, 0x17f)}${span(0x218, 0x21b)}${span(0x1e80, 0x1e85)}ẞỲỳ₤₦₩₫₱₹₺₽`

/** An open font of the panel, and what stands in for it. */
export interface Typeface {
  readonly family: string
  readonly package: string
  /** Begin of the package's file names. */
  readonly file: string
  /** Fetched before the styles are read, because every page uses it. */
  readonly preload?: true
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
    preload: true,
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
