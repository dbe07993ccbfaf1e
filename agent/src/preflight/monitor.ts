import type { PreflightCheck } from '@lodge/proto/fleet.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import type { Config } from '../config.ts'
import type { AnyDriver } from '../drivers.ts'
import { machineChecks } from './machine-checks.ts'
import type { Ports } from './ports.ts'
import { runPreflight } from './preflight.ts'

const PREFLIGHT_MS = 600_000
/** While something is wrong, an operator may be fixing it, so checks are more frequent. */
const WHILE_FAILED_MS = 60_000

/**
 * Periodically runs the preflight checks and reports only changes. The checks on virtual machines
 * come from their driver.
 * @param machines the driver's last result, null before the first
 */
export function preflightMonitor(
  config: Config,
  drivers: readonly AnyDriver[],
  machines: () => VirtualizationReport | null,
) {
  const [from = 0, to = 0] = config.portRange.split('-').map(Number)
  let ports: readonly Ports[] = [{ from, to }]
  let own: PreflightCheck[] = []
  let madeMs = Number.NEGATIVE_INFINITY
  let reported = ''
  let runs = 0
  const checks = () => [
    ...own,
    ...machineChecks(machines()).map((check) => ({ ...check, remedy: check.remedy ?? '' })),
  ]
  const run = async () => {
    madeMs = performance.now()
    const mine = ++runs
    const found = await runPreflight({
      drivers,
      dataFolder: config.data,
      ports,
    })
    // A run that began later has the newer result.
    if (mine === runs) own = found.map((check) => ({ ...check, remedy: check.remedy ?? '' }))
    return checks()
  }
  const isOld = () => {
    const freshMs = own.some(({ state }) => state === 'failed') ? WHILE_FAILED_MS : PREFLIGHT_MS
    return performance.now() - madeMs > freshMs
  }
  return {
    run,
    /**
     * Sets the ports to probe: those that the control plane assigns to the node's servers, or the
     * agent's own setting when it assigns none.
     */
    tryPorts(given: readonly Ports[]) {
      const wanted = given.length > 0 ? given : [{ from, to }]
      if (JSON.stringify(wanted) === JSON.stringify(ports)) return
      ports = wanted
      void run()
    },
    async latest() {
      const latest = isOld() ? await run() : checks()
      reported = JSON.stringify(latest)
      return latest
    },
    /** The report if it differs from the last one sent, else an empty list. */
    news() {
      if (isOld()) void run()
      const now = checks()
      const text = JSON.stringify(now)
      if (text === reported) return []
      reported = text
      return now
    },
  }
}
