import { constants, fstatSync, fsyncSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { z } from 'zod'
import type { Name } from './system.ts'
import { at, openIn, using } from './tree.ts'

const MAX_DOCUMENT = 16 * 1024 * 1024

/**
 * A JSON document in an open folder of the hidden folder. Undefined when there is none, or when the
 * server wrote its own.
 */
export function readDocument<T>(folder: number, name: Name, schema: z.ZodType<T>): T | undefined {
  try {
    const text = using(openIn(folder, name, constants.O_RDONLY), (fd) => {
      const stats = fstatSync(fd)
      return stats.isFile() && stats.size < MAX_DOCUMENT ? readFileSync(fd, 'utf8') : ''
    })
    return schema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes it whole or not at all, so that it survives a crash. Returns how many bytes it has. */
export function writeDocument(folder: number, name: string, document: unknown): number {
  const text = Buffer.from(JSON.stringify(document))
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC
  using(openIn(folder, `${name}.new`, flags, 0o600), (fd) => {
    writeFileSync(fd, text)
    fsyncSync(fd)
  })
  renameSync(at(folder, `${name}.new`), at(folder, name))
  return text.byteLength
}
