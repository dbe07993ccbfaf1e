import { type Driver, DriverError, type WorkloadKind } from '@lodge/driver/driver.ts'
import type { DriverHealth } from '@lodge/proto/fleet.ts'
import { warningText } from '@lodge/shared/driver-warnings.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'

/** A driver of either kind; the agent makes sure that each gets only servers of its own kind. */
export type AnyDriver = Driver<WorkloadSpec>

const PROBE_MS = 5_000

/** The driver for each kind of server on this node. */
export function driversByKind(drivers: readonly AnyDriver[]): Record<WorkloadKind, AnyDriver> {
  const runner = (kind: WorkloadKind) => {
    const able = drivers.filter(({ runs }) => runs.includes(kind))
    // Prefer a driver made for this kind alone to one that runs both.
    return able.find(({ runs }) => runs.length === 1) ?? able[0] ?? noDriver(kind)
  }
  return { container: runner('container'), machine: runner('machine') }
}

/**
 * Probes each driver independently, so that a slow or unavailable one does not affect the others.
 */
export async function healthOf(drivers: readonly AnyDriver[]): Promise<DriverHealth[]> {
  return await Promise.all(
    drivers.map(async (driver) => {
      const health = await driver.probe(AbortSignal.timeout(PROBE_MS))
      const version = health.ok ? health.version : ''
      const warnings = health.ok ? (health.warnings ?? []) : []
      // A control plane of an earlier release shows these sentences.
      const why = health.ok ? warnings.map(warningText).join(' ') : health.why
      return {
        ...{ kind: driver.kind, healthy: health.ok, version, why },
        warnings: warnings.map(({ code, values }) => ({ code, values: { ...values } })),
      }
    }),
  )
}

/** Stands in for a missing driver: has no servers, and refuses any that are assigned to it. */
function noDriver(kind: WorkloadKind): AnyDriver {
  const words = kind === 'machine' ? 'virtual machines' : 'container servers'
  const refuse = async () => {
    throw new DriverError('unsupported', `This node runs no ${words}.`)
  }
  const nothing = async () => {}
  return {
    kind: kind === 'machine' ? 'libvirt' : 'docker',
    runs: [],
    probe: async () => ({ ok: false, why: `This node runs no ${words}` }),
    recover: async () => [],
    apply: refuse,
    installer: { install: refuse },
    start: refuse,
    signal: nothing,
    kill: nothing,
    remove: nothing,
    async *events(signal) {
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      })
    },
    sample: async () => [],
    tracesOf: async () => [],
    dataFolder: (serverId) => `/nonexistent/${serverId}`,
  }
}
