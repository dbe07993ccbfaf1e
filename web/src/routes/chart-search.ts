import { METRICS_RANGE_NAMES } from '@lodge/shared/metrics-time.ts'
import { given, type Raw } from './search.ts'

const WRITTEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

const moment = (value: unknown): string | undefined =>
  typeof value === 'string' && WRITTEN.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : undefined

/** Query parameters of a page with charts: a range, and the part of it that is zoomed into. */
export function chartSearch(raw: Raw) {
  const [from, to] = [moment(raw.from), moment(raw.to)]
  const zoom = from !== undefined && to !== undefined && from < to
  return given({
    range: METRICS_RANGE_NAMES.find((range) => range === raw.range),
    from: zoom ? from : undefined,
    to: zoom ? to : undefined,
  })
}
