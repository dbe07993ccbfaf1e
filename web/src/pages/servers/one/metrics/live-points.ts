import type { MetricsPoint } from '@lodge/shared/servers.ts'
import type { Sample } from '../../../../live/message.ts'

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** One step of live samples as the API will later return it. */
function joined(at: number, samples: readonly Sample[]): MetricsPoint {
  const of = (pick: (sample: Sample) => number) => samples.map(pick)
  const cpu = of((sample) => sample.cpuPercent)
  const memory = of((sample) => sample.memoryBytes)
  const received = of((sample) => sample.networkRxBytesPerSecond ?? 0)
  const sent = of((sample) => sample.networkTxBytesPerSecond ?? 0)
  return {
    at: new Date(at).toISOString(),
    cpuPercent: mean(cpu),
    cpuPercentMax: Math.max(...cpu),
    memoryBytes: mean(memory),
    memoryBytesMax: Math.max(...memory),
    networkRxBytesPerSecond: mean(received),
    networkRxBytesPerSecondMax: Math.max(...received),
    networkTxBytesPerSecond: mean(sent),
    networkTxBytesPerSecondMax: Math.max(...sent),
    diskBytes: samples.at(-1)?.diskBytes ?? null,
  }
}

/** Appends live samples, in steps, to the points that are already loaded. */
export function withLive(
  points: readonly MetricsPoint[],
  samples: readonly Sample[],
  stepSeconds: number,
): readonly MetricsPoint[] {
  const stepMs = stepSeconds * 1000
  const last = points.at(-1)
  const loadedMs = last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.at) + stepMs
  const steps = Map.groupBy(
    samples.filter(({ at }) => Date.parse(at) >= loadedMs),
    ({ at }) => Math.floor(Date.parse(at) / stepMs) * stepMs,
  )
  const added = [...steps].toSorted(([a], [b]) => a - b)
  return [...points, ...added.map(([at, those]) => joined(at, those))]
}
