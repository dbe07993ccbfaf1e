import type { SharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import type { Logger } from 'pino'
import { readHardware } from './report.ts'

const FRESH_MS = 60_000
/** A storage that is gone takes no servers: the control plane should know soon. */
const FRESH_STORAGES_MS = 15_000

/**
 * Reads the machine's hardware once a minute and reports only changes: memory and disks may be added
 * while it runs, and shared storages come and go.
 */
export function hardwareMonitor(dataFolder: string, storages: SharedStorages, log: Logger) {
  let report: string | undefined
  let reported: string | undefined
  let madeMs = Number.NEGATIVE_INFINITY
  const read = async () => {
    madeMs = performance.now()
    try {
      const [hardware, shared] = await Promise.all([
        readHardware({ dataFolder }),
        storages.report(),
      ])
      report = JSON.stringify({ ...hardware, storages: shared })
    } catch (error) {
      log.warn({ err: error }, 'the hardware of this node could not be read')
    }
  }
  const freshMs = storages.isEmpty ? FRESH_MS : FRESH_STORAGES_MS
  return {
    recheck: read,
    /** The report as JSON; undefined when it cannot be read. */
    async latest(): Promise<string | undefined> {
      await read()
      reported = report
      return report
    },
    /** The report if it differs from the last one sent, else undefined. */
    news(): string | undefined {
      if (performance.now() - madeMs > freshMs) void read()
      if (report === reported) return undefined
      reported = report
      return report
    },
  }
}
