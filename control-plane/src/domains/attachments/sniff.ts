import type { ATTACHMENT_TYPES } from '@lodge/shared/attachments.ts'
import { pictureType } from '@lodge/shared/picture-type.ts'

type Type = (typeof ATTACHMENT_TYPES)[number]

/**
 * Bytes after which every type but text is known: the header of a WebM names its document type last.
 */
const HEAD_BYTES = 64

/** Detects the type of a file from its content while it arrives, whatever the sender declares. */
export interface JudgeOfFile {
  /** @returns false once the file cannot be of an allowed type */
  mayGoOn(piece: Uint8Array): boolean
  /** The type, after the last piece; undefined if it is not allowed. */
  type(): Type | undefined
}

/** @returns a detector for one file, which buffers only the first bytes */
export function judgeOfFile(): JudgeOfFile {
  let head = ''
  let known: Type | undefined
  const text = judgeOfText()
  return {
    mayGoOn(piece) {
      if (head.length < HEAD_BYTES) {
        head += Buffer.from(piece.subarray(0, HEAD_BYTES - head.length)).toString('latin1')
        known = typeByHead(head)
      }
      // Too few bytes so far: it may still become a picture.
      const isText = text.mayGoOn(piece)
      return known !== undefined || isText || head.length < HEAD_BYTES
    },
    type: () => known ?? (text.ends() ? 'text/plain' : undefined),
  }
}

function typeByHead(head: string): Type | undefined {
  const picture = pictureType(head)
  if (picture) return `image/${picture}`
  if (head.startsWith('%PDF-')) return 'application/pdf'
  // A local file header, or the end record of an empty archive.
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'application/zip'
  // Deflate is the only compression method (RFC 1952, 2.3.1).
  if (head.startsWith('\x1f\x8b\x08')) return 'application/gzip'
  return videoType(head)
}

/**
 * Brands of MP4 (ISO/IEC 14496-12, 4.3, and 14496-14); HEIC pictures and QuickTime films have the
 * same header with other brands.
 */
const MP4_BRANDS = /^(?:iso[m2-9]|mp4[12]|avc1|M4V[ HP]|MSNV|dash|f4v )/

function videoType(head: string): Type | undefined {
  if (head.startsWith('ftyp', 4))
    return MP4_BRANDS.test(head.slice(8, 12)) ? 'video/mp4' : undefined
  // EBML (RFC 8794); WebM and Matroska differ only in the document type.
  const isEbml = head.startsWith('\x1a\x45\xdf\xa3')
  return isEbml && head.includes('\x42\x82\x84webm') ? 'video/webm' : undefined
}

/**
 * At least one character of UTF-8, without control characters except tab, line and page breaks, and
 * the escape of coloured logs.
 */
function judgeOfText() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [isText, isEmpty] = [true, true]
  const decodes = (piece?: Uint8Array): boolean => {
    try {
      decoder.decode(piece, { stream: piece !== undefined })
      return true
    } catch {
      return false
    }
  }
  return {
    mayGoOn(piece: Uint8Array): boolean {
      if (piece.length > 0) isEmpty = false
      isText &&= !piece.some(isControl) && decodes(piece)
      return isText
    },
    ends: (): boolean => isText && !isEmpty && decodes(),
  }
}

const isControl = (byte: number): boolean =>
  byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d || byte === 0x0b)
