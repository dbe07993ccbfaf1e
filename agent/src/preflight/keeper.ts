import type { PreflightCheck } from '@lodge/proto/fleet.ts'
import type { Config } from '../config.ts'
import type { AnyDriver } from '../drivers.ts'
import { runPreflight } from './preflight.ts'

const PREFLIGHT_MS = 600_000

/** The report about the machine, made anew now and then; only a changed one is news. */
export function preflightKeeper(config: Config, drivers: readonly AnyDriver[]) {
  const [from = 0, to = 0] = config.portRange.split('-').map(Number)
  let checks: PreflightCheck[] = []
  let madeMs = Number.NEGATIVE_INFINITY
  let told = ''
  const run = async () => {
    madeMs = performance.now()
    const found = await runPreflight({
      drivers,
      dataFolder: config.data,
      portFrom: from,
      portTo: to,
    })
    checks = found.map((check) => ({ ...check, remedy: check.remedy ?? '' }))
    return checks
  }
  return {
    run,
    async latest() {
      const latest = performance.now() - madeMs > PREFLIGHT_MS ? await run() : checks
      told = JSON.stringify(latest)
      return latest
    },
    /** The report when it differs from the one that was last told, else nothing. */
    news() {
      if (performance.now() - madeMs > PREFLIGHT_MS) void run()
      const text = JSON.stringify(checks)
      if (text === told) return []
      told = text
      return checks
    },
  }
}
