import type { ATTACHMENT_TYPES } from '@lodge/shared/attachments.ts'
import { pictureType } from '@lodge/shared/picture-type.ts'

type Type = (typeof ATTACHMENT_TYPES)[number]

/** From how many bytes everything but a text is known: the header of a WebM names its kind last. */
const HEAD_BYTES = 64

/** Finds out what a file is by its content while it arrives, whatever its sender says. */
export interface JudgeOfFile {
  /** @returns false once it can be nothing that is allowed */
  mayGoOn(piece: Uint8Array): boolean
  /** What it was, after its last piece; undefined for anything not allowed. */
  type(): Type | undefined
}

/** @returns a judge for one file, which keeps nothing of it but its first bytes */
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
      // What is not known yet may still be a picture whose first bytes come one by one.
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
  // With files in it, or without any.
  if (head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06')) return 'application/zip'
  // Deflate is the only method there is (RFC 1952, 2.3.1).
  if (head.startsWith('\x1f\x8b\x08')) return 'application/gzip'
  return videoType(head)
}

/**
 * Brands of MP4 (ISO/IEC 14496-12, 4.3, and 14496-14); pictures of telephones and films of QuickTime
 * begin alike.
 */
const MP4_BRANDS = /^(?:iso[m2-9]|mp4[12]|avc1|M4V[ HP]|MSNV|dash|f4v )/

function videoType(head: string): Type | undefined {
  if (head.startsWith('ftyp', 4))
    return MP4_BRANDS.test(head.slice(8, 12)) ? 'video/mp4' : undefined
  // EBML (RFC 8794); Matroska, from which WebM comes, names another kind of document.
  const isEbml = head.startsWith('\x1a\x45\xdf\xa3')
  return isEbml && head.includes('\x42\x82\x84webm') ? 'video/webm' : undefined
}

/**
 * UTF-8 without control characters, and not nothing. Tabs, breaks of lines and pages may be in it, and
 * the colours of a log.
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
