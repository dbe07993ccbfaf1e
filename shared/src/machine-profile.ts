import { z } from 'zod'

/**
 * The virtual hardware: an immutable document. A virtual machine keeps the profile it was created
 * with, so that its operating system never sees the hardware change.
 */

/** A firmware image on the node, by its path; with a fingerprint only exactly this version matches. */
export const FirmwareFile = z.strictObject({
  path: z
    .string()
    .max(255)
    .regex(
      /^\/usr\/share\/(?:[A-Za-z0-9_+-][A-Za-z0-9._+-]*\/)*[A-Za-z0-9_+-][A-Za-z0-9._+-]*\.fd$/,
    ),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
})
export type FirmwareFile = z.infer<typeof FirmwareFile>

export const Firmware = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bios') }),
  z.strictObject({
    kind: z.literal('uefi'),
    secureBoot: z.boolean(),
    loader: FirmwareFile,
    /** The initial firmware variables; they decide which keys Secure Boot trusts. */
    vars: FirmwareFile,
  }),
])
export type Firmware = z.infer<typeof Firmware>

export const HardwareProfile = z.strictObject({
  machine: z.literal('q35'),
  firmware: Firmware,
  /** A TPM 2.0 for each machine. */
  tpm: z.boolean(),
  /** `host` passes the node's CPU through; a named model is the same on every node. */
  cpuModel: z.string().regex(/^(?:host|max|[A-Za-z0-9][A-Za-z0-9_.-]{0,63})$/),
  diskBus: z.enum(['virtio', 'scsi', 'sata']),
  nicModel: z.enum(['virtio', 'e1000e']),
  video: z.enum(['virtio', 'vga', 'qxl', 'none']),
  /** A channel for the guest agent. */
  guestAgent: z.boolean(),
  /** Minimum sizes that its operating systems accept. */
  minimum: z
    .strictObject({
      vcpus: z.int().min(1).max(512),
      memoryMb: z.int().min(16).max(16_777_216),
      diskMb: z.int().min(1).max(1_073_741_824),
    })
    .default({ vcpus: 1, memoryMb: 64, diskMb: 1 }),
})
export type HardwareProfile = z.infer<typeof HardwareProfile>
