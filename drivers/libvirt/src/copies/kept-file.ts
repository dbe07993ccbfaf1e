import { stat } from 'node:fs/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import { shareBlocks } from '@lodge/driver/share-blocks.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { CopiedFile } from '@lodge/shared/machine-copy.ts'
import { z } from 'zod'
import { diskSizeBytes } from '../media/headers.ts'
import { copyFingerprinted } from './copy-file.ts'
import { fingerprintOf } from './file-bytes.ts'

/** Size in bytes and modification time in nanoseconds: they change when a file is written to. */
const FileStamp = z.object({ sizeBytes: z.int().min(0), changedNs: z.string() })
export type FileStamp = z.infer<typeof FileStamp>

/**
 * A file of a snapshot. A reflinked file was never read, so it has no fingerprint; its size and
 * modification time show whether it was changed.
 */
export const KeptFile = CopiedFile.extend({
  sha256: CopiedFile.shape.sha256.nullable(),
  look: FileStamp.optional(),
  /** The machine's own file at the time of the copy. */
  source: FileStamp.optional(),
})
export type KeptFile = z.infer<typeof KeptFile>

/** Copies one file of a stopped machine. The copy is not durable until synced. */
export async function keepFile(
  path: string,
  to: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
  mayShare = true,
): Promise<Omit<KeptFile, 'name' | 'part'>> {
  signal.throwIfAborted()
  const source = await stampOf(path)
  const shared = mayShare && (await shareBlocks(path, to))
  const sha256 = shared ? null : await copyFingerprinted(path, to, signal, onBytes)
  const look = await stampOf(to)
  return { sizeBytes: look.sizeBytes, sha256, look, source }
}

/**
 * Copies one file back from a snapshot and verifies that it is unchanged.
 * @throws {DriverError} `copy_damaged`
 */
export async function bringBackFile(
  { name, part, sha256, look }: KeptFile,
  path: string,
  to: string,
  signal: AbortSignal,
  onBytes: (count: number) => void,
): Promise<void> {
  if (!(await exists(path)))
    throw new DriverError('copy_damaged', `${name} of the snapshot is gone.`)
  if (sha256 === null && !(look && same(look, await stampOf(path))))
    throw new DriverError('copy_damaged', `${name} of the snapshot was written to.`)
  const shared = part === 'disk' && (await shareBlocks(path, to))
  const found =
    shared && sha256 === null
      ? null
      : shared
        ? await fingerprintOf(to, signal, onBytes)
        : await copyFingerprinted(path, to, signal, onBytes)
  if (sha256 !== null && found !== sha256)
    throw new DriverError('copy_damaged', `${name} of the snapshot is not what it was.`)
  if (part === 'disk') await diskSizeBytes(to)
}

export async function stampOf(path: string): Promise<FileStamp> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  return { sizeBytes: Number(size), changedNs: String(mtimeNs) }
}

export function same(one: FileStamp, other: FileStamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.changedNs === other.changedNs
}
