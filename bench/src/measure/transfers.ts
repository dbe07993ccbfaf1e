import type { Finding } from '../row.ts'
import { forgetPeak, peakMb, residentMb } from './cpu.ts'
import { median, medianRatio } from './rounds.ts'

/**
 * How fast a file passes, compared with the limit: the rounds of both in milliseconds.
 * @param given.limitName as it stands in the table
 */
export function speedOf(
  what: string,
  given: {
    readonly mib: number
    readonly ours: readonly number[]
    readonly limit: readonly number[]
    readonly limitName: string
    readonly atLeast: number
  },
): Finding {
  const { mib, ours, limit, limitName, atLeast } = given
  const rate = (all: readonly number[]) => mib / (median(all) / 1000)
  return {
    what: `${what} of ${mib} MiB: speed / ${limitName}`,
    value: medianRatio(limit, ours, (milliseconds) => milliseconds),
    unit: 'x',
    target: { atLeast },
    detail: { 'MiB/s': rate(ours), 'the limit, MiB/s': rate(limit) },
  }
}

/** Watches the memory of the control plane from now on. */
export function watchMemory(pid: number): () => Finding {
  const restingMb = residentMb(pid)
  forgetPeak(pid)
  return () => ({
    what: 'control plane: memory while files pass, beyond what it has at rest',
    value: peakMb(pid) - restingMb,
    unit: 'MB',
    target: { atMost: 32 },
    detail: { 'at rest': restingMb },
  })
}
