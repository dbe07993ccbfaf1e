import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * CPU time of a process so far, over all its threads, in microseconds. Reads schedstat, which
 * counts nanoseconds; `stat` counts in steps of ten milliseconds.
 * @returns 0 for a process that has ended
 */
export function cpuMicrosOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, thread) => sum + threadMicros(pid, thread), 0)
  } catch {
    return 0
  }
}

function threadMicros(pid: number, thread: string): number {
  try {
    const [onCpuNanos] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(onCpuNanos) / 1000
  } catch {
    return 0
  }
}

/** CPU time between two readings. Excludes processes that end in between. */
export class CpuMeter {
  readonly #processes: () => Promise<readonly number[]>
  #before = new Map<number, number>()

  constructor(processes: () => Promise<readonly number[]>) {
    this.#processes = processes
  }

  async start(): Promise<void> {
    this.#before = new Map((await this.#processes()).map((pid) => [pid, cpuMicrosOf(pid)]))
  }

  /** Microseconds since `start`, including processes started in between. */
  async stop(): Promise<number> {
    let used = 0
    for (const pid of await this.#processes()) {
      used += Math.max(0, cpuMicrosOf(pid) - (this.#before.get(pid) ?? 0))
    }
    return used
  }
}

/** Resident memory of a process in MiB. */
export const residentMb = (pid: number): number => statusMb(pid, 'VmRSS')

/** The most that it had since `forgetPeak`. */
export const peakMb = (pid: number): number => statusMb(pid, 'VmHWM')

export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

function statusMb(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return Number(kilobytes ?? 0) / 1024
}
