import type { Server } from '@lodge/shared/servers.ts'
import { MIB } from '@lodge/shared/units.ts'
import { type ChartUnit, figureText } from '../../../../ui/charts/chart-units.ts'
import { sparkSlots } from '../../../../ui/data/spark-slots.ts'
import { t } from './words.ts'

export const HOUR_MS = 3_600_000
/** Slots of the hour, each as long as the time between two measurements. */
export const SLOTS = 120
/** A lower bound of the scale, so that little traffic looks like little. */
const LEAST_TRAFFIC = 1024

/** One moment of a server; amounts in percent of a core, bytes and bytes per second. */
export interface Moment {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly sent: number
}

/** One trend: its line, its limit, and the highest point in words. */
export interface Trend {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly max: number
  readonly peak: string
}

/** The trends of the last hour. The header of the server shows the current values. */
export function trends(
  { cpuPercent, memoryMb }: Pick<Server, 'cpuPercent' | 'memoryMb'>,
  moments: readonly Moment[],
  nowMs: number,
): readonly Trend[] {
  const recent = moments.filter(({ at }) => at > nowMs - HOUR_MS)
  const trend = (
    name: string,
    unit: ChartUnit,
    max: number,
    amountOf: (moment: Moment) => number,
  ): Trend => {
    const points = recent.map((moment) => ({ at: moment.at, value: amountOf(moment) }))
    const peak =
      points.length === 0
        ? t.noData
        : t.peak({ amount: figureText(unit, Math.max(...points.map(({ value }) => value))) })
    return { name, values: sparkSlots(points, nowMs, HOUR_MS, SLOTS), max, peak }
  }
  return [
    trend(t.cpu, 'percent', cpuPercent, (moment) => moment.cpuPercent),
    trend(t.memory, 'bytes', memoryMb * MIB, (moment) => moment.memoryBytes),
    trend(t.networkSent, 'bytesPerSecond', LEAST_TRAFFIC, (moment) => moment.sent),
  ]
}
