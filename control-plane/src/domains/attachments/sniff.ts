import type { ATTACHMENT_TYPES } from '@lodge/shared/attachments.ts'
import { pictureType } from '@lodge/shared/picture-type.ts'

type Type = (typeof ATTACHMENT_TYPES)[number]

/** What a file is by its content, whatever its sender says; undefined for anything not allowed. */
export function typeOf(bytes: Buffer): Type | undefined {
  const head = bytes.toString('latin1', 0, 16)
  const picture = pictureType(head)
  if (picture) return `image/${picture}`
  if (head.startsWith('%PDF-')) return 'application/pdf'
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
