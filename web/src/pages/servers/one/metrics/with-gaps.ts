import type { MetricsPoint } from '@lodge/shared/servers.ts'

/** A position on the time axis, in seconds since 1970; without a point the line breaks. */
export interface Place {
  readonly at: number
  readonly point: MetricsPoint | undefined
}

/**
 * Inserts an empty position where samples are missing for more than two steps, so that no line is
 * drawn across.
 */
export function withGaps(points: readonly MetricsPoint[], stepSeconds: number): readonly Place[] {
  let last: number | undefined
  return points.flatMap((point): Place[] => {
    const at = Date.parse(point.at) / 1000
    const gap = last !== undefined && at - last > 2.5 * stepSeconds
    const between = gap && last !== undefined ? [{ at: last + stepSeconds, point: undefined }] : []
    last = at
    return [...between, { at, point }]
  })
}
