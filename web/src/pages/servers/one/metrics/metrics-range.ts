import { given, type Raw } from '../../../../routes/search.ts'

const RANGES = ['hour', 'day', 'week', 'quarter'] as const
export type Range = (typeof RANGES)[number]
export const metricsSearch = (raw: Raw) =>
  given({ range: RANGES.find((range) => range === raw.range) })
