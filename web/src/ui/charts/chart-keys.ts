import type { ChartWindow } from './chart-data.ts'
import { moved, selected, zoomed } from './chart-window.ts'

/** Where the crosshair is, and where a selection began; in seconds since 1970. */
export interface Crosshair {
  readonly at: number | undefined
  readonly anchor: number | undefined
}

export const NO_CROSSHAIR: Crosshair = { at: undefined, anchor: undefined }

/** The effect of a key: moves the crosshair, or shows another window; `null` undoes the zoom. */
type KeyEffect = { readonly crosshair: Crosshair } | { readonly window: ChartWindow | null }

const JUMP = 10
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: JUMP,
  PageDown: -JUMP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

interface Shown {
  /** Times with values inside the window, ascending. */
  readonly times: readonly number[]
  readonly window: ChartWindow
  readonly bounds: ChartWindow
}

/**
 * The arrow keys move the crosshair from value to value, and select with Shift; Enter zooms into the
 * selection, `+` and `-` around the crosshair, `[` and `]` move the window, Escape goes back one
 * step.
 */
export function pressed(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { at, anchor }: Crosshair,
  { times, window, bounds }: Shown,
): KeyEffect | undefined {
  const step = STEPS[key]
  if (step !== undefined) {
    const next = times[nextIndex(times, at, step)]
    if (next === undefined) return undefined
    const from = anchor ?? at ?? next
    return { crosshair: { at: next, anchor: shiftKey ? from : undefined } }
  }
  if (key === '+' || key === '=') return { window: zoomed(window, 0.5, at, bounds) }
  if (key === '-') return { window: zoomed(window, 2, at, bounds) }
  if (key === '[') return { window: moved(window, -0.5, bounds) }
  if (key === ']') return { window: moved(window, 0.5, bounds) }
  if (key === 'Enter' && at !== undefined && anchor !== undefined)
    return { window: selected(at, anchor, bounds) }
  if (key === '0') return { window: null }
  if (key !== 'Escape') return undefined
  if (anchor !== undefined) return { crosshair: { at, anchor: undefined } }
  return at === undefined ? { window: null } : { crosshair: NO_CROSSHAIR }
}

/** Starts at the newest value, if there is no crosshair. */
function nextIndex(times: readonly number[], at: number | undefined, step: number): number {
  const last = times.length - 1
  if (at === undefined) return step === Number.NEGATIVE_INFINITY ? 0 : last
  const behind = times.findIndex((time) => time >= at)
  const here = behind < 0 ? last : behind
  return Math.min(last, Math.max(0, here + step))
}
