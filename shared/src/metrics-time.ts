const HOUR = 3600
const DAY = 24 * HOUR

/** For how many days metrics are kept. */
export const METRICS_DAYS = 90

/** The ranges of metrics that end now: length and resolution. None has more than 400 points. */
export const METRICS_RANGES = {
  hour: { seconds: HOUR, stepSeconds: 15 },
  day: { seconds: DAY, stepSeconds: 300 },
  week: { seconds: 7 * DAY, stepSeconds: HOUR },
  month: { seconds: 30 * DAY, stepSeconds: 2 * HOUR },
  quarter: { seconds: METRICS_DAYS * DAY, stepSeconds: 6 * HOUR },
} as const
export type MetricsRange = keyof typeof METRICS_RANGES

/** Their names, shortest first. */
export const METRICS_RANGE_NAMES = Object.keys(METRICS_RANGES) as readonly MetricsRange[]
