import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGzip, createZstdCompress } from 'node:zlib'
import type { ArchiveFormat, OpenRepository } from '@lodge/driver/backup-store.ts'
import type { Restic } from './restic.ts'

const COMPRESSION: Readonly<Record<ArchiveFormat, (() => NodeJS.ReadWriteStream) | null>> = {
  tar: null,
  'tar.gz': () => createGzip({ level: 3 }),
  'tar.zst': () => createZstdCompress(),
}

/** A folder of a backup as an archive, or the bytes of one file. */
export async function archiveOf(
  restic: Restic,
  given: {
    readonly repository: OpenRepository
    readonly snapshotId: string
    readonly path: string
    readonly format: ArchiveFormat
  },
  signal: AbortSignal,
): Promise<Readable> {
  const { repository, snapshotId, path, format } = given
  const args = ['--no-lock', 'dump', '--archive', 'tar', snapshotId, path]
  const output = await restic.stream(repository, args, { signal })
  const compress = COMPRESSION[format]?.()
  if (!compress) return output
  // A failure of the first reaches the reader of the last.
  return pipeline(output, compress, () => undefined) as unknown as Readable
}
