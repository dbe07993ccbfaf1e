import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Backups } from './capabilities/backups.ts'
import type { Console } from './capabilities/console.ts'
import type { DiskUsage } from './capabilities/disk-usage.ts'
import type { Files } from './capabilities/files.ts'
import type { Images } from './capabilities/images.ts'
import type { Installer } from './capabilities/installer.ts'
import type { Media } from './capabilities/media.ts'
import type { Networks } from './capabilities/networks.ts'
import type { Relocation } from './capabilities/relocation.ts'
import type { Screen } from './capabilities/screen.ts'
import type { Snapshots } from './capabilities/snapshots.ts'
import type { Transfer } from './capabilities/transfer.ts'
import type { Virtualization } from './capabilities/virtualization.ts'

/**
 * What a driver can do beyond running servers. A driver that lacks a capability omits the property.
 * Like every driver method, each can be repeated after a crash at any point, and an aborted call
 * leaves nothing half-done.
 */
export interface Capabilities<Spec extends WorkloadSpec = ContainerSpec> {
  readonly console?: Console
  readonly installer?: Installer<Spec>
  /** A driver with this capability collects unused images by itself. */
  readonly images?: Images
  readonly networks?: Networks
  readonly virtualization?: Virtualization
  readonly snapshots?: Snapshots
  readonly screen?: Screen
  readonly media?: Media
  readonly transfer?: Transfer<Spec>
  readonly diskUsage?: DiskUsage
  readonly backups?: Backups
  readonly files?: Files
  readonly relocation?: Relocation
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
  backups: true,
  files: true,
  relocation: true,
} satisfies Record<Capability, true>

export const CAPABILITIES = Object.keys(EVERY) as readonly Capability[]

/** The capabilities that a driver has, in the order of `CAPABILITIES`. */
export const capabilitiesOf = (driver: Capabilities<never>): readonly Capability[] =>
  CAPABILITIES.filter((name) => driver[name] !== undefined)
