import { z } from 'zod'

/** One thing that virtual machines need on a node, and how to fix it. */
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

/** What a node can do for virtual machines, as its agent found. */
export const VirtualizationReport = z.object({
  /** A guest can be started now. */
  available: z.boolean(),
  /** Why not, in words for the administrator; empty when it can. */
  why: z.string().max(1000),
  /** A probe guest booted with KVM. */
  kvm: z.boolean(),
  /** Why KVM is not used; empty when it is. */
  kvmWhy: z.string().max(1000),
  emulation: z.boolean(),
  libvirtVersion: z.string().max(64),
  qemuVersion: z.string().max(64),
  tpm: z.boolean(),
  /** Firmware images on the node, with their fingerprints. */
  firmware: z.array(z.object({ path: z.string().max(255), sha256: z.string().length(64) })).max(64),
  /** Networks that libvirt knows on this node. */
  networks: z
    .array(
      z.object({
        name: z.string().max(64),
        active: z.boolean(),
        /** The bridge of a network with address filtering; empty when there is none. */
        bridge: z.string().max(64),
        /** The network's own address and prefix length, e.g. `10.77.0.1/24`; empty when it has none. */
        cidr: z.string().max(64),
      }),
    )
    .max(64),
  cpuModels: z.array(z.string().max(64)).max(512),
  /** Fingerprints of the media in the cache. */
  media: z.array(z.object({ sha256: z.string().length(64), sizeBytes: z.int() })).max(1000),
  /** Everything machines need here, and how to fix it. */
  checks: z.array(VirtualizationCheck).max(32),
})
export type VirtualizationReport = z.infer<typeof VirtualizationReport>
