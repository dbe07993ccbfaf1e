import type { Virtualization } from '@lodge/driver/capabilities/virtualization.ts'
import { VirtualizationReport } from '@lodge/shared/virtualization.ts'

const FRESH_MS = 600_000
/** While something is missing somebody may be mending it. */
const FRESH_WHILE_MISSING_MS = 60_000
const DEADLINE_MS = 60_000

export interface VirtualizationMonitor {
  /** The newest report as a document; empty while none was made. */
  latest(): string
  /** The report when it differs from the one that was last told, else undefined. */
  news(): string | undefined
  /** Looks anew: what was found began to be looked for after this was called. */
  run(): Promise<string>
  /** What was found last; null while nothing was, or where there is no driver for machines. */
  found(): VirtualizationReport | null
}

/**
 * What the node can do for machines, found out anew now and then. Looking may take long, as it may
 * start a guest to see whether it truly boots: nothing waits for it.
 */
export function virtualizationMonitor(host: Virtualization | undefined): VirtualizationMonitor {
  let found: VirtualizationReport | null = null
  let report = ''
  let told = ''
  let madeMs = Number.NEGATIVE_INFINITY
  let looking: Promise<string> | null = null
  let next: Promise<string> | null = null

  const look = async (): Promise<string> => {
    if (!host) return ''
    madeMs = performance.now()
    found = VirtualizationReport.parse(await host.report(AbortSignal.timeout(DEADLINE_MS)))
    report = JSON.stringify(found)
    return report
  }
  const begin = () => {
    looking = look().finally(() => {
      looking = null
    })
    return looking
  }
  const run = () => {
    if (!looking) return begin()
    // One that is under way may have looked already at what has changed since.
    next ??= looking
      .catch(() => undefined)
      .then(() => {
        next = null
        return begin()
      })
    return next
  }
  const renew = () => {
    const freshMs = found?.available ? FRESH_MS : FRESH_WHILE_MISSING_MS
    if (!looking && performance.now() - madeMs > freshMs) void begin().catch(() => undefined)
  }
  return {
    run,
    found: () => found,
    latest() {
      renew()
      told = report
      return report
    },
    news() {
      renew()
      if (report === told) return undefined
      told = report
      return report
    },
  }
}
