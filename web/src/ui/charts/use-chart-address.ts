import type { MetricsRange } from '@lodge/shared/metrics-time.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { chartSearch } from '../../routes/chart-search.ts'
import type { ChartWindow } from './chart-data.ts'

export interface ChartAddress {
  readonly range: MetricsRange
  /** The window that is zoomed into; undefined shows the whole range. */
  readonly zoom: ChartWindow | undefined
  choose(range: MetricsRange): void
  /** Zooms, or shows the whole range again. */
  show(window: ChartWindow | null): void
}

const written = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 19)}Z`

/** The range and the zoom of a page with charts, stored in its URL: Back undoes a zoom. */
export function useChartAddress(): ChartAddress {
  const { range = 'hour', from, to } = chartSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: { range?: MetricsRange; from?: string; to?: string }, replace: boolean): void =>
    void navigate({
      to: '.',
      search: (old: object) => ({ ...old, from: undefined, to: undefined, ...next }),
      replace,
      resetScroll: false,
    } as Parameters<typeof navigate>[0])
  const zoom =
    from === undefined || to === undefined
      ? undefined
      : { from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 }
  return {
    range,
    zoom,
    choose: (next) => go({ range: next }, true),
    // Further zooming replaces the history entry, so that one Back returns to the whole range.
    show: (window) =>
      go(
        window === null ? {} : { from: written(window.from), to: written(window.to) },
        zoom !== undefined,
      ),
  }
}
