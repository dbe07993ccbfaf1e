import type { ATTACHMENT_TYPES } from '@lodge/shared/attachments.ts'
import { pictureType } from '@lodge/shared/picture-type.ts'

type Type = (typeof ATTACHMENT_TYPES)[number]

/** From how many bytes a picture or a PDF is known. */
const HEAD_BYTES = 16

/** What a file is by its content, whatever its sender says; undefined for anything not allowed. */
export function typeOf(bytes: Buffer): Type | undefined {
  const judge = judgeOfFile()
  return judge.mayGoOn(bytes) ? judge.type() : undefined
}

/** Finds out what a file is while it arrives. */
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
  return head.startsWith('%PDF-') ? 'application/pdf' : undefined
}

/** UTF-8 without control characters other than tabs and line breaks, and not nothing. */
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
  byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d
