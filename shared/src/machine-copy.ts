import { z } from 'zod'

/** The parts of a stopped machine's copy, sent before the bytes. */

export const COPIED_PARTS = ['disk', 'firmware', 'tpm', 'seed'] as const
export const CopiedFile = z.strictObject({
  /** Unique in its copy and safe as a file name. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  part: z.enum(COPIED_PARTS),
  sizeBytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type CopiedFile = z.infer<typeof CopiedFile>

/** Disks, firmware variables and TPM state of one machine, as they were when it was stopped. */
export const MachineManifest = z.strictObject({
  version: z.literal(1),
  serverId: z.string().min(1).max(64),
  uuid: z.uuid(),
  files: z.array(CopiedFile).max(64),
})
export type MachineManifest = z.infer<typeof MachineManifest>

export const snapshotId = z.string().regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
