import { z } from 'zod'

/** One thing that machines need on a node, and how to mend it. */
export const VirtualizationCheck = z.object({
  id: z.enum([
    'libvirt',
    'qemu',
    'kvm',
    'firmware',
    'tpm',
    'network',
    'forwarding',
    'storage',
    'boot-guard',
  ]),
  state: z.enum(['ok', 'warning', 'failed']),
  summary: z.string().max(1000),
  /** What to do about it; null when there is nothing to do. */
  remedy: z.string().max(1000).nullable(),
})
export type VirtualizationCheck = z.infer<typeof VirtualizationCheck>

/** What a node can do for virtual machines, as its agent has found out. */
export const VirtualizationReport = z.object({
  /** A guest could be started now. */
  available: z.boolean(),
  /** Why not, in words for the administrator; empty when it could. */
  why: z.string().max(1000),
  /** A probe guest truly booted with KVM. */
  kvm: z.boolean(),
  /** Why KVM is not used; empty when it is. */
  kvmWhy: z.string().max(1000),
  emulation: z.boolean(),
  libvirtVersion: z.string().max(64),
  qemuVersion: z.string().max(64),
  tpm: z.boolean(),
  /** Firmware images that are there, with their fingerprints. */
  firmware: z.array(z.object({ path: z.string().max(255), sha256: z.string().length(64) })).max(64),
  /** Networks that libvirt knows on this node. */
  networks: z
    .array(
      z.object({
        name: z.string().max(64),
        active: z.boolean(),
        /** The bridge that its packets pass, where addresses are watched over; empty when there is none. */
        bridge: z.string().max(64),
        /** The network's own address and length of prefix, as `10.77.0.1/24`; empty when it has none. */
        cidr: z.string().max(64),
      }),
    )
    .max(64),
  cpuModels: z.array(z.string().max(64)).max(512),
  /** Fingerprints of the media in the cache. */
  media: z.array(z.object({ sha256: z.string().length(64), sizeBytes: z.int() })).max(1000),
  /** Each thing that machines need here, and how to mend it. */
  checks: z.array(VirtualizationCheck).max(32),
})
export type VirtualizationReport = z.infer<typeof VirtualizationReport>
