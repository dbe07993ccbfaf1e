import type { BootPermit } from '@lodge/driver/driver.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import { mediumFromAddress, type OpenMedium } from './media/from-address.ts'

/** Where the right to boot is noted for those who ask before QEMU is started. */
export interface BootGuard {
  /** Why a start by hand would not be stopped on this machine, or null when it would be. */
  missing(): Promise<string | null>
  /** Lets this machine boot once. */
  grant(uuid: string, permit: BootPermit): Promise<void>
  /** Takes back what was not used. */
  revoke(uuid: string): Promise<void>
}

/** What one driver object is told about its machine. Paths are absolute. */
export interface LibvirtDriverOptions {
  /** Default `qemu:///system`. */
  readonly uri?: string
  /** One folder for each server lies below this; created when missing. QEMU's user must get through. */
  readonly dataRoot: string
  /** Installation media and cloud images, named by their fingerprints. */
  readonly mediaFolder: string
  /** Domains of another scope on the same libvirt are never seen or touched. Default `default`. */
  readonly scope?: string
  /** Where libvirt keeps TPM states. Default `/var/lib/libvirt/swtpm`. */
  readonly tpmFolder?: string
  /** Where libvirt and swtpm write a log for each machine. Default: as Debian has it. */
  readonly logFolders?: readonly string[]
  /** The network namespace that libvirt lives in, as a path, when it is not ours. */
  readonly networkNamespace?: string
  /** Without one, starts are not held back on the machine itself. */
  readonly guard?: BootGuard
  /** Where media may come from beside the public internet. Default: from nowhere else. */
  readonly egress?: EgressPolicy
  /** Opens a medium for reading at an offset in bytes. Default: from its address, as `egress` allows. */
  readonly openMedium?: OpenMedium
  /** A kernel to try KVM with. Default: one in /boot. */
  readonly probeKernel?: string
  /** Called with one line about something an administrator may want to know. */
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

/** Fills in the defaults. Throws when an option cannot be used. */
export function settingsOf(options: LibvirtDriverOptions): Settings {
  const settings: Settings = {
    uri: options.uri ?? 'qemu:///system',
    dataRoot: options.dataRoot,
    mediaFolder: options.mediaFolder,
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
