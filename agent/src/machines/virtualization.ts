import type { Machines } from '@lodge/driver/machines.ts'
import { VirtualizationReport } from '@lodge/shared/virtualization.ts'

const FRESH_MS = 600_000
const DEADLINE_MS = 60_000

export interface VirtualizationKeeper {
  /** The newest report as a document; empty while none was made. */
  latest(): string
  /** The report when it differs from the one that was last told, else undefined. */
  news(): string | undefined
  /** Looks anew. */
  run(): Promise<string>
}

/**
 * What the node can do for machines, found out anew now and then. Looking may take long, as it may
 * start a guest to see whether it truly boots: nothing waits for it.
 */
export function virtualizationKeeper(machines: Machines | undefined): VirtualizationKeeper {
  let report = ''
  let told = ''
  let madeMs = Number.NEGATIVE_INFINITY
  let looking: Promise<string> | null = null

  const look = async (): Promise<string> => {
    if (!machines) return ''
    madeMs = performance.now()
    const found = await machines.report(AbortSignal.timeout(DEADLINE_MS))
    report = JSON.stringify(VirtualizationReport.parse(found))
    return report
  }
  const run = () => {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }
  return {
    run,
    latest() {
      if (performance.now() - madeMs > FRESH_MS) void run().catch(() => undefined)
      told = report
      return report
    },
    news() {
      if (performance.now() - madeMs > FRESH_MS) void run().catch(() => undefined)
      if (report === told) return undefined
      told = report
      return report
    },
  }
}
