import type { SenderCheck } from '@lodge/shared/support/sender-check.ts'
import type { Automatic, MailHeaders } from './automatic.ts'

export interface MailFile {
  readonly name: string
  readonly bytes: Buffer
}

/** A parsed mail, from whichever source. */
export interface Mail {
  /** With its angle brackets. */
  readonly messageId: string
  /** Address in lower case. */
  readonly from: string
  /** The name beside it, which anybody can choose; empty if it has none. */
  readonly fromName: string
  /** To, Cc and the envelope recipients. */
  readonly recipients: readonly string[]
  readonly subject: string
  readonly text: string
  /** In-Reply-To and References, the nearest first. */
  readonly answers: readonly string[]
  readonly headers: MailHeaders
  /** The result of the sender check; null before it. */
  readonly sender: SenderCheck | null
  readonly automatic: Automatic | undefined
  readonly files: readonly MailFile[]
}

/** How many ids of other mails are considered. */
const MOST_ANSWERS = 50
export const LONGEST_TEXT = 65_536
export const LONGEST_SUBJECT = 200

/** Ids in the text of a field; anything else is left out. */
export const idsIn = (text: string): string[] =>
  [...text.slice(0, 50_000).matchAll(/<[^<>\s]{1,900}>/g)].map(([id]) => id)

/**
 * The ids that a mail answers: In-Reply-To first, then References backwards, because the last is
 * nearest.
 */
export const answersOf = (inReplyTo: string, references: string): string[] =>
  [...new Set([...idsIn(inReplyTo), ...idsIn(references).toReversed()])].slice(0, MOST_ANSWERS)

/** One line of visible characters: a line break would start another header. */
export const oneLine = (text: string, most: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, most)

/** The address of a mailbox in any spelling, such as `Ann <ann@example.com>`; undefined if it has none. */
export function addressIn(text: string): string | undefined {
  const inner = /<([^<>]{0,320})>[^<>]*$/.exec(text.slice(0, 1000))?.[1] ?? text
  const address = inner.trim().toLowerCase()
  return isAddress(address) ? address : undefined
}

const LONGEST_NAME = 100

/** The name of a mailbox as one line. An address is none: it could pass for the one beside it. */
export function nameOf(text: string): string {
  const name = oneLine(text.replaceAll(/^\s*"|"\s*$/g, ''), LONGEST_NAME)
  // Wide and small forms look like the signs themselves (Unicode's compatibility forms).
  return /[@<>‹›〈〉⟨⟩]/.test(name.normalize('NFKC')) ? '' : name
}

const isAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[^\s@"<>,;:\\()[\]\p{Cc}]{1,64}@[a-z0-9\p{L}][a-z0-9\p{L}.-]{1,190}$/u.test(text)

/** Removes characters that the database or a reader cannot handle. */
export const cleanText = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '')
    .replaceAll(/\r\n?/g, '\n')
    .trim()
