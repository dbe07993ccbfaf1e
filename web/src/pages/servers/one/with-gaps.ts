import type { MetricsPoint } from '@lodge/shared/servers.ts'

/** A place on the time axis, in seconds since 1970; without a point the line is interrupted. */
export interface Place {
  readonly at: number
  readonly point: MetricsPoint | undefined
}

/** Puts an empty place where figures are missing for longer than two steps, so that no line is drawn over it. */
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
