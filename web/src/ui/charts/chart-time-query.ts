import { METRICS_RANGES } from '@lodge/shared/metrics-time.ts'
import { entryOf } from '../data/known.ts'
import { useNow } from '../data/time.tsx'
import type { ChartGap, ChartWindow } from './chart-data.ts'
import { reachable } from './chart-window.ts'
import type { ChartAddress } from './use-chart-address.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** How often a range that ends now is fetched again: about once a step. */
const REFRESH_MS = {
  hour: 15 * SECOND_MS,
  day: MINUTE_MS,
  week: 5 * MINUTE_MS,
  month: 10 * MINUTE_MS,
  quarter: 15 * MINUTE_MS,
} as const

const iso = (at: number): string => new Date(at * SECOND_MS).toISOString()

interface ChartTime {
  readonly window: ChartWindow
  readonly bounds: ChartWindow
  /** The query parameters for the API. */
  readonly query: { readonly range: ChartAddress['range']; from?: string; to?: string }
  /** False while a past part is shown. */
  readonly refetchInterval: number | false
}

/** What a page of metrics shows and fetches: its range up to now, or the part zoomed into. */
export function useChartTime({ range, zoom: asked }: ChartAddress): ChartTime {
  const now = Math.floor(useNow(range === 'hour' ? 5 * SECOND_MS : MINUTE_MS) / SECOND_MS)
  const bounds = { from: now - METRICS_RANGES.quarter.seconds, to: now }
  const zoom = asked && reachable(asked, bounds)
  return {
    window: zoom ?? { from: now - METRICS_RANGES[range].seconds, to: now },
    bounds,
    query: zoom ? { range, from: iso(zoom.from), to: iso(zoom.to) } : { range },
    refetchInterval: zoom && zoom.to < now - 60 ? false : REFRESH_MS[range],
  }
}

interface ApiGap {
  readonly from: string
  readonly to: string
  readonly reason: 'not_created' | 'stopped' | 'node_offline' | 'unknown'
}

/** The gaps in an API response; `words` has the reasons. */
export const gapsOf = (
  gaps: readonly ApiGap[],
  words: Readonly<Record<ApiGap['reason'], string>>,
): readonly ChartGap[] =>
  gaps.map(({ from, to, reason }) => ({
    from: Date.parse(from) / SECOND_MS,
    to: Date.parse(to) / SECOND_MS,
    words: entryOf(words, reason, (raw) => raw),
  }))
