import { type Driver, DriverError } from '@lodge/driver/driver.ts'
import type { DriverHealth } from '@lodge/proto/fleet.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { WorkloadKind } from './reconcile/desired-state.ts'

/** A driver whatever it runs; that each only gets its own kinds of server is the agent's to see to. */
export type AnyDriver = Driver<WorkloadSpec>

const PROBE_MS = 5_000

/** What runs each kind of server on this node. */
export function driversByKind(drivers: readonly AnyDriver[]): Record<WorkloadKind, AnyDriver> {
  const libvirt = drivers.find(({ kind }) => kind === 'libvirt')
  return {
    container: drivers.find((driver) => driver !== libvirt) ?? noDriver('containers'),
    // The fake one runs both kinds, where libvirt was not asked for.
    machine: libvirt ?? drivers.find(({ machines }) => machines) ?? noDriver('machines'),
  }
}

/** Each driver by itself: one that is away or slow says nothing of another. */
export async function healthOf(drivers: readonly AnyDriver[]): Promise<DriverHealth[]> {
  return await Promise.all(
    drivers.map(async (driver) => {
      const health = await driver.probe(AbortSignal.timeout(PROBE_MS))
      const version = health.ok ? health.version : ''
      return { kind: driver.kind, healthy: health.ok, version, why: health.ok ? '' : health.why }
    }),
  )
}

/** Stands where this node has no driver: it has no servers, and says so when it is given one. */
function noDriver(what: 'containers' | 'machines'): AnyDriver {
  const words = what === 'machines' ? 'virtual machines' : 'container servers'
  const refuse = async () => {
    throw new DriverError('unsupported', `This node runs no ${words}.`)
  }
  const nothing = async () => {}
  return {
    kind: what === 'machines' ? 'libvirt' : 'docker',
    probe: async () => ({ ok: false, why: `This node runs no ${words}` }),
    recover: async () => [],
    apply: refuse,
    install: refuse,
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
    console: { follow: nothing, write: refuse, tail: async () => [] },
    dataFolder: (serverId) => `/nonexistent/${serverId}`,
  }
}
