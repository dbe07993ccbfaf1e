import type { JobState } from '@lodge/shared/jobs.ts'
import type { JobRow } from './tables.ts'

/** Upper bounds in seconds: a start takes about one, a backup or migration may take hours. */
const BOUNDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200]

/** Durations of jobs with the same kind and outcome. */
export interface DurationSeries {
  readonly kind: string
  readonly state: JobState
  /** Cumulative counts per bound, in seconds. */
  readonly within: readonly (readonly [bound: number, count: number])[]
  readonly count: number
  readonly sumSeconds: number
}

/** Measures jobs from request to end. */
export class JobDurations {
  readonly #series = new Map<
    string,
    { kind: string; state: JobState; seconds: number; counts: number[] }
  >()

  observe({ kind, createdAt }: Pick<JobRow, 'kind' | 'createdAt'>, state: JobState): void {
    const seconds = Math.max(0, (Date.now() - createdAt.getTime()) / 1000)
    const key = `${kind} ${state}`
    const series = this.#series.get(key) ?? {
      kind,
      state,
      seconds: 0,
      counts: Array.from({ length: BOUNDS.length + 1 }, () => 0),
    }
    this.#series.set(key, series)
    const at = BOUNDS.findIndex((bound) => seconds <= bound)
    const place = at < 0 ? BOUNDS.length : at
    series.counts[place] = (series.counts[place] ?? 0) + 1
    series.seconds += seconds
  }

  all(): DurationSeries[] {
    return [...this.#series.values()].map(({ kind, state, seconds, counts }) => {
      let count = 0
      const within = BOUNDS.map((bound, at) => {
        count += counts[at] ?? 0
        return [bound, count] as const
      })
      return { kind, state, within, count: count + (counts.at(-1) ?? 0), sumSeconds: seconds }
    })
  }
}
