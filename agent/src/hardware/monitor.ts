import type { Logger } from 'pino'
import { readHardware } from './report.ts'

const FRESH_MS = 60_000

/**
 * Reads the machine's hardware once a minute and reports only changes: memory and disks may be added
 * while it runs.
 */
export function hardwareMonitor(dataFolder: string, log: Logger) {
  let report: string | undefined
  let told: string | undefined
  let madeMs = Number.NEGATIVE_INFINITY
  const read = async () => {
    madeMs = performance.now()
    try {
      report = JSON.stringify(await readHardware({ dataFolder }))
    } catch (error) {
      log.warn({ err: error }, 'the hardware of this node could not be read')
    }
  }
  return {
    /** The report as JSON; undefined when it cannot be read. */
    async latest(): Promise<string | undefined> {
      await read()
      told = report
      return report
    },
    /** The report if it differs from the last one sent, else undefined. */
    news(): string | undefined {
      if (performance.now() - madeMs > FRESH_MS) void read()
      if (report === told) return undefined
      told = report
      return report
    },
  }
}
