import type { ChartWindow } from './chart-data.ts'

/** The shortest part of the axis that can be shown. */
const LEAST_SECONDS = 120

/** Moves a window into its bounds; shortens it only if it is longer than they are. */
function inside({ from, to }: ChartWindow, bounds: ChartWindow): ChartWindow {
  const length = Math.min(to - from, bounds.to - bounds.from)
  const start = Math.min(Math.max(from, bounds.from), bounds.to - length)
  return { from: start, to: start + length }
}

/** A part that somebody selected: in order, whole seconds, not too short, and inside the bounds. */
export function selected(one: number, other: number, bounds: ChartWindow): ChartWindow {
  const from = Math.floor(Math.min(one, other))
  const to = Math.ceil(Math.max(one, other))
  const missing = Math.max(0, LEAST_SECONDS - (to - from)) / 2
  return inside({ from: Math.floor(from - missing), to: Math.ceil(to + missing) }, bounds)
}

/**
 * Halves (`factor` 0.5) or doubles (2) a window around a moment, which stays at its position on the
 * screen; around the middle without one.
 */
export function zoomed(
  { from, to }: ChartWindow,
  factor: number,
  at: number | undefined,
  bounds: ChartWindow,
): ChartWindow {
  const centre = at === undefined || at < from || at > to ? (from + to) / 2 : at
  return selected(centre - (centre - from) * factor, centre + (to - centre) * factor, bounds)
}

/** A window moved by a share of its length. */
export function moved({ from, to }: ChartWindow, share: number, bounds: ChartWindow): ChartWindow {
  const by = Math.round((to - from) * share)
  return inside({ from: from + by, to: to + by }, bounds)
}

/** The window in a URL, or the nearest one within the kept range. */
export function reachable(window: ChartWindow, bounds: ChartWindow): ChartWindow {
  const { from, to } = window
  const shown = Math.min(to, bounds.to) - Math.max(from, bounds.from)
  const isWhole = shown >= LEAST_SECONDS && to - from <= bounds.to - bounds.from
  return isWhole ? window : selected(from, to, bounds)
}
