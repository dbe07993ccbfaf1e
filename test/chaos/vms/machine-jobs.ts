import { DRIVER_ERROR_CODES } from '@lodge/driver/driver.ts'
import type { JobStep } from '@lodge/shared/jobs.ts'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { expect } from 'vitest'
import { exitInWords } from '../../../agent/src/reconcile/state/crash.ts'
import type { MachineFleet } from '../../real/support/machine-fleet.ts'
import { type Blow, moment } from './machine-faults.ts'

const END_MS = 180_000
/** Codes with which a job may fail: those of the catalogue, and never "something went wrong". */
const REASONS = new Set<string>([...DRIVER_ERROR_CODES, ...Object.keys(PROBLEMS)])
REASONS.delete('internal_error')
/**
 * No guest shuts down by itself in these rounds, so a job that fails with one of these codes reports
 * a wrong cause.
 */
const UNTRUE = (['shutdown', 'panic', 'watchdog', 'ended'] as const).map((cause) =>
  exitInWords({ at: new Date(), code: null, signal: null, outOfMemory: false, cause }),
)

/** The jobs of a fleet, step by step from their rows. */
export class WatchedJobs {
  readonly #fleet: MachineFleet
  /** How long each step takes without faults, by operation and step. */
  readonly #lengths = new Map<string, number>()

  constructor(fleet: MachineFleet) {
    this.#fleet = fleet
  }

  /** The learned length of the step; a guess if unknown. */
  lengthMs(operation: Blow['operation'], step: string): number {
    return this.#lengths.get(`${operation} ${step}`) ?? 100
  }

  /** Waits until the step is running; false when it is already over. */
  async isUnderWay(jobId: string, name: string): Promise<boolean> {
    // Some steps take only milliseconds.
    for (const began = Date.now(); Date.now() - began < END_MS; ) {
      const { steps, endedAt } = await this.#job(jobId)
      const step = steps.find((one) => one.name === name)
      if (step?.state === 'running') return true
      if (endedAt !== null || (step && step.state !== 'waiting')) return false
    }
    throw new Error(`the step ${name} never came`)
  }

  /** Records how long each step takes. */
  async learn(jobId: string, operation: Blow['operation']): Promise<void> {
    const began = new Map<string, number>()
    for (;;) {
      const { steps, endedAt } = await this.#job(jobId)
      for (const { name, state } of steps) {
        if (state === 'running' && !began.has(name)) began.set(name, Date.now())
        const since = began.get(name)
        if (state === 'done' && since !== undefined) {
          this.#lengths.set(`${operation} ${name}`, Date.now() - since)
          began.delete(name)
        }
      }
      if (endedAt !== null) return
      await moment(10)
    }
  }

  async #job(id: string) {
    const { rows } = await this.#fleet.database.pool.query<{
      title: string
      state: string
      steps: JobStep[]
      failure: { code: string; detail: string } | null
      endedAt: Date | null
    }>('select title, state, steps, failure, ended_at as "endedAt" from jobs where id = $1', [id])
    const [job] = rows
    if (!job) throw new Error('the job is gone')
    return job
  }

  /** `done`, or why not. */
  async ended(id: string): Promise<string> {
    const job = await this.#fleet.until(
      `the job ${id} ends`,
      async () => {
        const found = await this.#job(id)
        return found.endedAt === null ? undefined : found
      },
      END_MS,
    )
    if (job.state === 'done') return 'done'
    const { code = '', detail = '' } = job.failure ?? {}
    expect(REASONS, `${job.title}: ${job.state} ${code} ${detail}`).toContain(code)
    expect(UNTRUE.filter((words) => detail.startsWith(words))).toEqual([])
    return `${job.state}, ${code}: ${detail}`
  }
}
