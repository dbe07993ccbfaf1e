import type { Virtualization } from '@lodge/driver/capabilities/virtualization.ts'
import { VirtualizationReport } from '@lodge/shared/virtualization.ts'

const FRESH_MS = 600_000
/** While something is missing, an operator may be fixing it, so checks are more frequent. */
const FRESH_WHILE_MISSING_MS = 60_000
const DEADLINE_MS = 60_000

export interface VirtualizationMonitor {
  /** The newest report as JSON; empty before the first one. */
  latest(): string
  /** The report if it differs from the last one sent, else undefined. */
  news(): string | undefined
  /** Runs a check that starts after this call, trying again what failed, and returns its report. */
  run(): Promise<string>
  /** The last result; null before the first one, or where there is no driver for machines. */
  found(): VirtualizationReport | null
}

/**
 * Periodically checks what the node offers virtual machines. A check may take long, since it may
 * boot a guest as proof: nothing waits for it.
 */
export function virtualizationMonitor(host: Virtualization | undefined): VirtualizationMonitor {
  let found: VirtualizationReport | null = null
  let report = ''
  let reported = ''
  let madeMs = Number.NEGATIVE_INFINITY
  let looking: Promise<string> | null = null
  let next: Promise<string> | null = null

  const look = async (anew: boolean): Promise<string> => {
    if (!host) return ''
    madeMs = performance.now()
    found = VirtualizationReport.parse(await host.report(AbortSignal.timeout(DEADLINE_MS), anew))
    report = JSON.stringify(found)
    return report
  }
  const begin = (anew: boolean) => {
    looking = look(anew).finally(() => {
      looking = null
    })
    return looking
  }
  const run = () => {
    if (!looking) return begin(true)
    // A check under way may have passed the point that changed since; start another after it.
    next ??= looking
      .catch(() => undefined)
      .then(() => {
        next = null
        return begin(true)
      })
    return next
  }
  const renew = () => {
    const freshMs = found?.available ? FRESH_MS : FRESH_WHILE_MISSING_MS
    if (!looking && performance.now() - madeMs > freshMs) void begin(false).catch(() => undefined)
  }
  return {
    run,
    found: () => found,
    latest() {
      renew()
      reported = report
      return report
    },
    news() {
      renew()
      if (report === reported) return undefined
      reported = report
      return report
    },
  }
}
