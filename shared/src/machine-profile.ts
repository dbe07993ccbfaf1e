import { z } from 'zod'

/**
 * The hardware that guests are shown: an immutable document. A virtual machine keeps the profile that
 * it was made with, so that an operating system never finds another machine under itself.
 */

/** A firmware image of the node, by its path; with a fingerprint only exactly this version is fit. */
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
    /** What a machine's firmware variables begin as; it decides which keys Secure Boot trusts. */
    vars: FirmwareFile,
  }),
])
export type Firmware = z.infer<typeof Firmware>

export const HardwareProfile = z.strictObject({
  machine: z.literal('q35'),
  firmware: Firmware,
  /** A TPM 2.0 of the machine's own. */
  tpm: z.boolean(),
  /** `host` is what the processor of the node offers; a name is the same on every node. */
  cpuModel: z.string().regex(/^(?:host|max|[A-Za-z0-9][A-Za-z0-9_.-]{0,63})$/),
  diskBus: z.enum(['virtio', 'scsi', 'sata']),
  nicModel: z.enum(['virtio', 'e1000e']),
  video: z.enum(['virtio', 'vga', 'qxl', 'none']),
  /** A channel for the guest agent. */
  guestAgent: z.boolean(),
  /** Smallest sizes that its operating systems accept. */
  minimum: z
    .strictObject({
      vcpus: z.int().min(1).max(512),
      memoryMb: z.int().min(16).max(16_777_216),
      diskMb: z.int().min(1).max(1_073_741_824),
    })
    .default({ vcpus: 1, memoryMb: 64, diskMb: 1 }),
})
export type HardwareProfile = z.infer<typeof HardwareProfile>
