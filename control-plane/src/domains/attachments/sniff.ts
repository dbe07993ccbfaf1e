import type { ATTACHMENT_TYPES } from '@lodge/shared/attachments.ts'

type Type = (typeof ATTACHMENT_TYPES)[number]

/** How files of these types begin. */
const MAGIC: readonly (readonly [Type, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => beginsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => beginsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', (bytes) => beginsWith(bytes, 'GIF87a') || beginsWith(bytes, 'GIF89a')],
  ['image/webp', (bytes) => beginsWith(bytes, 'RIFF') && beginsWith(bytes, 'WEBP', 8)],
  ['application/pdf', (bytes) => beginsWith(bytes, '%PDF-')],
]

const beginsWith = (bytes: Buffer, magic: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + magic.length) === magic

/** What a file is by its content, whatever its sender says; undefined for anything not allowed. */
export function typeOf(bytes: Buffer): Type | undefined {
  const found = MAGIC.find(([, is]) => is(bytes))
  if (found) return found[0]
  return isText(bytes) ? 'text/plain' : undefined
}

/** UTF-8 without control characters other than tabs and line breaks. */
function isText(bytes: Buffer): boolean {
  if (bytes.length === 0) return false
  if (bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d))
    return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
