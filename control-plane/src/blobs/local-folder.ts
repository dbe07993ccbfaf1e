import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import type { BlobBackend } from './backend.ts'

/** Blobs in a folder, spread over 256 subfolders by the first byte of their names. */
export function localFolder(folder: string): BlobBackend {
  const shardOf = (sha256: string) => path.join(folder, sha256.slice(0, 2))
  const fileOf = (sha256: string) => path.join(shardOf(sha256), sha256)
  return {
    async keep(file, sha256) {
      const shard = shardOf(sha256)
      if ((await mkdir(shard, { recursive: true, mode: 0o700 })) !== undefined) await sync(folder)
      await rename(file, fileOf(sha256))
      await sync(shard)
    },
    sizeOf: async (sha256) => (await stat(fileOf(sha256)).catch(unlessGone))?.size ?? null,
    async read(sha256, range) {
      const file = await open(fileOf(sha256), 'r')
      return range === undefined
        ? file.createReadStream()
        : createReadStream('', { fd: file, start: range.start, end: range.end })
    },
    delete: (sha256) => rm(fileOf(sha256), { force: true }),
  }
}

/** Renaming is durable only once the folder is synced. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
