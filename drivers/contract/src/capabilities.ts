import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Console } from './capabilities/console.ts'
import type { DiskUsage } from './capabilities/disk-usage.ts'
import type { Images } from './capabilities/images.ts'
import type { Installer } from './capabilities/installer.ts'
import type { Media } from './capabilities/media.ts'
import type { Networks } from './capabilities/networks.ts'
import type { Screen } from './capabilities/screen.ts'
import type { Snapshots } from './capabilities/snapshots.ts'
import type { Transfer } from './capabilities/transfer.ts'
import type { Virtualization } from './capabilities/virtualization.ts'

/**
 * What a driver can do beyond running servers. It has a capability or it has not: a property that is
 * absent is how a driver says no. As with every method of a driver, each may be repeated after a crash
 * at any moment, and one that was aborted leaves nothing half-made.
 */
export interface Capabilities<Spec extends WorkloadSpec = ContainerSpec> {
  readonly console?: Console
  readonly installer?: Installer<Spec>
  /** It collects unused images by itself. */
  readonly images?: Images
  readonly networks?: Networks
  readonly virtualization?: Virtualization
  readonly snapshots?: Snapshots
  readonly screen?: Screen
  readonly media?: Media
  readonly transfer?: Transfer<Spec>
  readonly diskUsage?: DiskUsage
}
export type Capability = keyof Capabilities

const EVERY = {
  console: true,
  installer: true,
  images: true,
  networks: true,
  virtualization: true,
  snapshots: true,
  screen: true,
  media: true,
  transfer: true,
  diskUsage: true,
} satisfies Record<Capability, true>

export const CAPABILITIES = Object.keys(EVERY) as readonly Capability[]

/** The names of what a driver has, in the order of `CAPABILITIES`. */
export const capabilitiesOf = (driver: Capabilities<never>): readonly Capability[] =>
  CAPABILITIES.filter((name) => driver[name] !== undefined)
