import { download } from '@lodge/shared/egress/download.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'

const MAX_BYTES = 1_048_576
const BITS = { 64: 'sha256', 128: 'sha512' } as const

export interface ExpectedDigest {
  readonly algorithm: 'sha256' | 'sha512'
  readonly hex: string
}

/** Fetches the publisher's checksum file and finds the checksum of the file at `url`. */
export async function expectedDigest(
  { url, checksumUrl }: { readonly url: string; readonly checksumUrl: string },
  egress: EgressPolicy,
  signal: AbortSignal,
): Promise<ExpectedDigest | undefined> {
  const { body } = await download(checksumUrl, egress, signal)
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > MAX_BYTES) return undefined
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  return findDigest(text, nameOf(url), nameOf(checksumUrl))
}

const nameOf = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')

interface Line extends ExpectedDigest {
  /** Empty if the line contains only the checksum. */
  readonly name: string
}

/**
 * The checksum of a file in a list in the format of sha256sum (`<hex>  name`), in BSD format
 * (`SHA256 (name) = <hex>`) or as a bare checksum (`<hex>`); surrounding signatures are skipped. If
 * the list is named after the file and has a single checksum, it applies whatever name it gives.
 * The strongest checksum wins.
 */
export function findDigest(
  text: string,
  fileName: string,
  listName: string,
): ExpectedDigest | undefined {
  const lines = text.split(/\r?\n/).flatMap(readLine)
  const named = lines.filter(({ name }) => name === fileName)
  const ownList = listName.startsWith(`${fileName}.`) && lines.length === 1
  const [found] = (named.length > 0 || !ownList ? named : lines).sort(
    (a, b) => b.hex.length - a.hex.length,
  )
  return found && { algorithm: found.algorithm, hex: found.hex }
}

function readLine(line: string): Line[] {
  const gnu = /^\\?([0-9a-fA-F]{64}|[0-9a-fA-F]{128})(?:\s+[ *]?(.+?))?\s*$/.exec(line)
  const bsd = /^SHA(?:256|512)\s*\((.+)\)\s*=\s*([0-9a-fA-F]{64}|[0-9a-fA-F]{128})\s*$/.exec(line)
  const hex = (gnu?.[1] ?? bsd?.[2])?.toLowerCase()
  if (hex === undefined) return []
  const algorithm = BITS[hex.length as keyof typeof BITS]
  const given = gnu ? (gnu[2] ?? '') : (bsd?.[1] ?? '')
  return [{ algorithm, hex, name: given.split('/').at(-1) ?? '' }]
}
