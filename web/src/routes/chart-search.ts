import { given, type Raw } from './search.ts'

/** The ranges of metrics that can be chosen; each ends now. */
export const CHART_RANGES = ['hour', 'day', 'week', 'quarter'] as const
export type ChartRange = (typeof CHART_RANGES)[number]
export const CHART_SECONDS: Readonly<Record<ChartRange, number>> = {
  hour: 3600,
  day: 86_400,
  week: 7 * 86_400,
  quarter: 90 * 86_400,
}

const WRITTEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const moment = (value: unknown): string | undefined =>
  typeof value === 'string' && WRITTEN.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** Parameters of a page with charts: a range, and the part of it that was zoomed into. */
export function chartSearch(raw: Raw) {
  const [from, to] = [moment(raw.from), moment(raw.to)]
  const zoom = from !== undefined && to !== undefined && from < to
  return given({
    range: CHART_RANGES.find((range) => range === raw.range),
    from: zoom ? from : undefined,
    to: zoom ? to : undefined,
  })
}
