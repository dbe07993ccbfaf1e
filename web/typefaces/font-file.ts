import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import subsetFont from 'subset-font'
import { type Part, type Typeface, WEIGHTS } from './table.ts'

/** One file that the panel serves. */
export interface FontFile {
  readonly url: string
  readonly content: Buffer
  /** Its `@font-face` rule. */
  readonly face: string
  readonly preload: boolean
}

/** Where a package is installed. */
export const folderOf = (name: string): string =>
  path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** The part of a typeface with these characters, at the weights in use. */
export async function fontFile(face: Typeface, part: Part): Promise<FontFile> {
  const name = `${face.file}-${part.from}-wght-normal.woff2`
  const file = path.join(folderOf(face.package), 'files', name)
  const content = await subsetFont(readFileSync(file), part.text, {
    targetFormat: 'woff2',
    variationAxes: { wght: WEIGHTS },
    keepFeatures: [...face.features],
  })
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const url = `/assets/${face.file}-${part.name}-${hash}.woff2`
  return {
    url,
    content,
    face: `@font-face{font-family:"${face.family}";src:url(${url}) format("woff2");font-weight:${WEIGHTS.min} ${WEIGHTS.max};font-display:swap;unicode-range:${rangesOf(part.text)}}`,
    preload: face.preload === part.name,
  }
}

/** `unicode-range` of a text: neighbours are joined. */
function rangesOf(text: string): string {
  const points = [...new Set(text)].map((sign) => sign.codePointAt(0) ?? 0).sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const point of points) {
    const last = ranges.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  const hex = (point: number): string => point.toString(16).toUpperCase()
  return ranges
    .map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`))
    .join(',')
}
