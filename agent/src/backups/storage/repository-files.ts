import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '@lodge/driver/durable.ts'

export const FILE_KINDS = ['data', 'index', 'keys', 'locks', 'snapshots'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** A file of a repository, named after the hash of its contents; there is one `config`. */
export type FileName =
  | { readonly kind: 'config' }
  | { readonly kind: FileKind; readonly name: string }

/** Larger than any that restic writes. */
const MAX_BYTES = 512 * 1024 * 1024
const INCOMING = 'incoming'

/** What was sent is not what its name says, or too large. */
export class Unacceptable extends Error {}

/**
 * One repository that this node keeps for another, in restic's own layout, so that restic itself can
 * read it here with the key. Nothing ever replaces a file that exists.
 */
export function repositoryFiles(folder: string) {
  const pathOf = (file: FileName): string =>
    file.kind === 'config'
      ? join(folder, 'config')
      : join(folderOf(file.kind, file.name), file.name)
  const folderOf = (kind: FileKind, name: string): string =>
    kind === 'data' ? join(folder, kind, name.slice(0, 2)) : join(folder, kind)

  async function sizeOf(file: FileName): Promise<number | undefined> {
    const found = await stat(pathOf(file)).catch(unlessMissing)
    return found?.size
  }

  async function namesIn(path: string): Promise<string[]> {
    return (await readdir(path).catch(unlessMissing)) ?? []
  }

  return {
    sizeOf,

    async create(): Promise<void> {
      // A key of an interrupted creation would open nothing.
      if ((await sizeOf({ kind: 'config' })) === undefined)
        await rm(join(folder, 'keys'), { recursive: true, force: true })
      for (const kind of FILE_KINDS)
        await mkdir(join(folder, kind), { recursive: true, mode: 0o700 })
    },

    async list(kind: FileKind): Promise<{ name: string; size: number }[]> {
      const root = join(folder, kind)
      const within = kind === 'data' ? await namesIn(root) : ['']
      const found: { name: string; size: number }[] = []
      for (const part of within) {
        for (const name of await namesIn(join(root, part))) {
          const size = await sizeOf({ kind, name })
          if (size !== undefined) found.push({ name, size })
        }
      }
      return found
    },

    /** @param last the last byte to read; without it, to the end */
    read: (file: FileName, first: number, last?: number): Readable =>
      createReadStream(pathOf(file), { start: first, ...(last !== undefined && { end: last }) }),

    /**
     * Stores a file, which appears once all of it is on the disk. Storing it again changes nothing.
     * @returns false if there is another configuration already
     * @throws {Unacceptable}
     */
    async write(file: FileName, bytes: Readable): Promise<boolean> {
      const incoming = join(folder, INCOMING, randomUUID())
      await mkdir(dirname(incoming), { recursive: true, mode: 0o700 })
      try {
        const hash = await receive(bytes, incoming)
        if (file.kind !== 'config' && hash !== file.name)
          throw new Unacceptable('the name is not that of the contents')
        if ((await sizeOf(file)) !== undefined) return file.kind !== 'config'
        const path = pathOf(file)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(incoming, path)
        await syncFolder(dirname(path))
        return true
      } finally {
        await rm(incoming, { force: true })
      }
    },

    /** @returns false if there is none */
    async remove(file: FileName): Promise<boolean> {
      if ((await sizeOf(file)) === undefined) return false
      await rm(pathOf(file), { force: true })
      return true
    },

    /** Deletes what a killed process had not received completely. */
    tidy: () => rm(join(folder, INCOMING), { recursive: true, force: true }),

    drop: () => rm(folder, { recursive: true, force: true }),
  }
}
export type RepositoryFiles = ReturnType<typeof repositoryFiles>

/** @returns the hash of what was written */
async function receive(bytes: Readable, path: string): Promise<string> {
  const hash = createHash('sha256')
  let count = 0
  await pipeline(
    bytes,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const part of parts) {
        count += part.byteLength
        if (count > MAX_BYTES) throw new Unacceptable('the file is too large')
        hash.update(part)
        yield part
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  )
  return hash.digest('hex')
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
