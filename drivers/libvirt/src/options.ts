import type { BootPermit } from '@lodge/driver/driver.ts'
import { type SharedStorages, sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import { mediumFromAddress, type OpenMedium } from './media/from-address.ts'

/** Records boot permits for the libvirt hook, which checks them before QEMU starts. */
export interface BootGuard {
  /** Why the hook would not block a manual start on this host, or null when it would. */
  missing(): Promise<string | null>
  /** Permits one boot of this machine. */
  grant(uuid: string, permit: BootPermit): Promise<void>
  /** Revokes an unused permit. */
  revoke(uuid: string): Promise<void>
}

/** Configuration of one driver object. Paths are absolute. */
export interface LibvirtDriverOptions {
  /** Default `qemu:///system`. */
  readonly uri?: string
  /**
   * Parent of one folder per server; created when missing. QEMU's user must be able to traverse it.
   */
  readonly dataRoot: string
  /** File systems that other nodes have mounted, too. Default: none. */
  readonly storages?: SharedStorages
  /** Folder of installation media and cloud images, named by fingerprint. */
  readonly mediaFolder: string
  /** Domains of another scope on the same libvirt are ignored. Default `default`. */
  readonly scope?: string
  /** Where libvirt keeps TPM state. Default `/var/lib/libvirt/swtpm`. */
  readonly tpmFolder?: string
  /** Where libvirt and swtpm write a log per machine. Default: Debian's locations. */
  readonly logFolders?: readonly string[]
  /** Path of libvirt's network namespace, when it differs from ours. */
  readonly networkNamespace?: string
  /** Without one, the host itself does not block starts without a permit. */
  readonly guard?: BootGuard
  /** Where media may come from besides the public internet. Default: nowhere. */
  readonly egress?: EgressPolicy
  /** Opens a medium at a byte offset. Default: from its address, as `egress` allows. */
  readonly openMedium?: OpenMedium
  /** A kernel to test KVM with. Default: one in /boot. */
  readonly probeKernel?: string
  /** Receives single-line messages for the administrator. */
  readonly log?: (line: string) => void
}

export interface Settings
  extends Required<
    Omit<LibvirtDriverOptions, 'networkNamespace' | 'guard' | 'probeKernel' | 'egress'>
  > {
  readonly networkNamespace: string | undefined
  readonly guard: BootGuard | undefined
  readonly probeKernel: string | undefined
}

const NOWHERE_ELSE: EgressPolicy = { allowedHosts: [], authorities: [] }

/** Applies the defaults. Throws when an option is invalid. */
export function settingsOf(options: LibvirtDriverOptions): Settings {
  const settings: Settings = {
    uri: options.uri ?? 'qemu:///system',
    dataRoot: options.dataRoot,
    mediaFolder: options.mediaFolder,
    storages: options.storages ?? sharedStorages(new Map()),
    scope: options.scope ?? 'default',
    tpmFolder: options.tpmFolder ?? '/var/lib/libvirt/swtpm',
    logFolders: options.logFolders ?? ['/var/log/libvirt/qemu', '/var/log/swtpm/libvirt/qemu'],
    networkNamespace: options.networkNamespace,
    guard: options.guard,
    openMedium: options.openMedium ?? mediumFromAddress(options.egress ?? NOWHERE_ELSE),
    probeKernel: options.probeKernel,
    log: options.log ?? (() => {}),
  }
  for (const name of ['dataRoot', 'mediaFolder', 'tpmFolder'] as const)
    if (!settings[name].startsWith('/'))
      throw new TypeError(`libvirt driver: ${name} must be absolute`)
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(settings.scope))
    throw new TypeError('libvirt driver: scope must be a short word')
  return settings
}
