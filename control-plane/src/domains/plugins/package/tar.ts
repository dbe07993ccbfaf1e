import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { errorCode } from '@lodge/shared/error-code.ts'
import { Problem } from '../../../problem.ts'

const BLOCK = 512
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024
const MAX_FILES = 2000
/** No hidden files, no `..`, nothing absolute. */
const NAME = /^[A-Za-z0-9@_-][A-Za-z0-9@._-]*(\/[A-Za-z0-9@_-][A-Za-z0-9@._-]*)*$/

export const notValid = (detail: string) => new Problem('plugin_not_valid', detail)

/** The files of a package, by path. */
export type Files = ReadonlyMap<string, Buffer>

/**
 * Reads a package as `npm pack` creates it: a compressed tar archive of regular files.
 * @throws {Problem} plugin_not_valid
 */
export async function readPackage(packed: Buffer): Promise<Files> {
  const archive = await unzip(packed)
  const files = new Map<string, Buffer>()
  const names = new Set<string>()
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) break
    const size = numberAt(header, 124, 12)
    const content = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (content.length < size) throw notValid('The archive ends too early')
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const type = String.fromCharCode(header[156] ?? 0)
    // Folders and pax headers contain nothing that we need.
    if (type === '5' || type === 'x' || type === 'g') continue
    const name = nameOf(header)
    if (type !== '0' && type !== '\0') throw notValid(`${name} is not a regular file`)
    // Case-insensitive file systems treat two names that differ only in case as one.
    if (names.has(name.toLowerCase())) throw notValid(`${name} is there twice`)
    names.add(name.toLowerCase())
    files.set(name, content)
    if (files.size > MAX_FILES) throw notValid(`A package has at most ${MAX_FILES} files`)
  }
  return files
}

async function unzip(packed: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch (error) {
    const isLarge = errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    throw notValid(
      isLarge
        ? 'Unpacked, a package has at most 64 MiB'
        : 'A package is a tar archive compressed with gzip, as npm pack makes it',
    )
  }
}

function numberAt(header: Buffer, from: number, length: number): number {
  const text = textAt(header, from, length).trim()
  if (!/^[0-7]{1,11}$/.test(text)) throw notValid('The archive is damaged')
  return Number.parseInt(text, 8)
}

const textAt = (header: Buffer, from: number, length: number): string =>
  header.toString('latin1', from, from + length).replace(/\0.*$/s, '')

/** The path of an entry, without the folder `package` in which npm packs everything. */
function nameOf(header: Buffer): string {
  const beginning = textAt(header, 345, 155)
  const whole = (beginning && `${beginning}/`) + textAt(header, 0, 100)
  const name = whole.replace(/^\.\//, '').replace(/^package\//, '')
  if (name.length > 200 || !NAME.test(name))
    throw notValid(`The path ${JSON.stringify(whole.slice(0, 100))} is not possible in a package`)
  return name
}
