interface Range {
  readonly from: number
  readonly to: number
}

/** `25000-25999, 30000` as ranges; unreadable parts become NaN, which the schema refuses. */
export function readRanges(text: string): readonly Range[] {
  return text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [from = '', to = from] = part.split(/[-–]/)
      return { from: Number(from || Number.NaN), to: Number(to || Number.NaN) }
    })
}

export const writeRanges = (ranges: readonly Range[]): string =>
  ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
