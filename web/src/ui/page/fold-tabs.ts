interface Bar {
  /** Widths of the tabs in pixels, in order. */
  readonly widths: readonly number[]
  readonly gap: number
  readonly available: number
  /** Width of the button that opens the rest. */
  readonly more: number
  /** The tab that must stay in view; -1 without one. */
  readonly current: number
}

/** Indexes of the tabs that do not fit: the last ones, but never the current one. */
export function foldedTabs({ widths, gap, available, more, current }: Bar): readonly number[] {
  const all = widths.reduce((sum, width) => sum + width + gap, -gap)
  if (all <= available) return []
  let left = available - more - (current < 0 ? 0 : (widths[current] ?? 0) + gap)
  let full = false
  return widths.flatMap((width, index) => {
    if (index === current) return []
    left -= width + gap
    full ||= left < 0
    return full ? [index] : []
  })
}
