import PostalMime, { type Address, addressParser, type Email } from 'postal-mime'
import { automaticOf } from './automatic.ts'
import { headerFault } from './header-fault.ts'
import { textOfHtml } from './html-text.ts'
import { addressIn, answersOf, cleanText, idsIn, type Mail, type MailFile, nameOf } from './mail.ts'
import { idOf } from './mail-id.ts'
import { unreadable } from './unreadable.ts'

/** Deeper or longer mails are built to exhaust the parser. */
const LIMITS = {
  maxNestingDepth: 20,
  maxHeadersSize: 256 * 1024,
  maxRfc822NestingDepth: 0,
} as const
/** Most parts of a mail; each costs the parser far more than its bytes. */
const MOST_PARTS = 200
const MOST_FILES = 50
/**
 * A mail of the maximum size has some 400,000 lines of base64. The parser keeps each line as a
 * string, so millions of short ones would exhaust the memory.
 */
const MOST_LINES = 500_000

/** Envelope sender and recipients, if our own mail server received the mail. */
export interface MailEnvelope {
  readonly to: readonly string[]
  readonly isBounce: boolean
}

/**
 * Parses a mail (RFC 5322, MIME). Its own claims about the sender are not trusted: nobody we trust
 * has checked them. It may take seconds of CPU: `parseMail` does it in a thread.
 * @throws {Problem} validation_failed
 */
export async function mailOfMime(
  raw: Buffer,
  envelope: MailEnvelope = { to: [], isBounce: false },
): Promise<Mail> {
  const fault = headerFault(raw)
  if (fault !== null) throw unreadable(fault)
  if (linesIn(raw) > MOST_LINES) throw unreadable(`It has more than ${MOST_LINES} lines`)
  if (partsIn(raw) > MOST_PARTS) throw unreadable(`It has more than ${MOST_PARTS} parts`)
  let email: Email
  try {
    email = await PostalMime.parse(raw, LIMITS)
  } catch {
    throw unreadable('It is not a mail, or nested too deeply')
  }
  // With more than one sender, or none, the author is ambiguous; the parser would take the first.
  const written = email.headers.filter(({ key }) => key === 'from').map(({ value }) => value)
  const from = addressParser(written.join(','), { flatten: true })
  const sender = addressIn(from[0]?.address ?? '')
  if (written.length !== 1 || from.length !== 1 || sender === undefined)
    throw unreadable('It does not have one sender')
  const headers = headersOf(email)
  if (envelope.isBounce) headers['return-path'] = '<>'
  const automatic = automaticOf(headers, sender)
  const { text = '', html, inReplyTo = '', references = '' } = email
  return {
    messageId: idsIn(email.messageId ?? '')[0] ?? idOf(raw),
    from: sender,
    fromName: nameOf(from[0]?.name ?? ''),
    recipients: [
      ...envelope.to,
      ...addressesOf([...(email.to ?? []), ...(email.cc ?? [])]),
      ...(email.deliveredTo ? [email.deliveredTo] : []),
    ].flatMap((one) => addressIn(one) ?? []),
    subject: email.subject ?? '',
    text: cleanText(text.trim() === '' && html !== undefined ? textOfHtml(html) : text),
    answers: answersOf(
      inReplyTo,
      automatic === 'bounce' ? `${references} ${returnedIds(email)}` : references,
    ),
    headers,
    sender: null,
    automatic,
    files: filesOf(email),
  }
}

function linesIn(raw: Buffer): number {
  let count = 0
  for (let at = raw.indexOf('\n'); at >= 0 && count <= MOST_LINES; at = raw.indexOf('\n', at + 1))
    count++
  return count
}

/** Counts lines that begin like a boundary, before the parser sees them. */
function partsIn(raw: Buffer): number {
  let count = 0
  for (
    let at = raw.indexOf('\n--');
    at >= 0 && count <= MOST_PARTS * 2;
    at = raw.indexOf('\n--', at + 3)
  )
    count++
  // A text may contain such lines, so counts only those of declared boundaries.
  return count <= MOST_PARTS ? count : declaredParts(raw)
}

function declaredParts(raw: Buffer): number {
  const text = raw.toString('latin1')
  const borders = [
    ...text.matchAll(/boundary\s{0,4}=\s{0,4}(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/gi),
  ]
  if (borders.length > MOST_PARTS) return borders.length
  const names = new Set(borders.map(([, quoted, bare]) => `--${quoted ?? bare}`))
  let count = 0
  for (const line of text.split('\n', 1_000_000)) {
    const bare = line.trimEnd()
    if (bare.startsWith('--') && names.has(bare)) count++
  }
  return count
}

/** The first field of each name: later ones were added by the author of the mail, not by a relay. */
function headersOf({ headers }: Email): Record<string, string> {
  const first: Record<string, string> = {}
  for (const { key, value } of headers) first[key] ??= value
  return first
}

const addressesOf = (given: readonly Address[]): string[] =>
  given
    .flatMap((one) => (one.group ? one.group : [one]))
    .flatMap(({ address = '' }) => addressIn(address) ?? [])

const RETURNED = new Set(['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers'])

/** Ids of the mails that a bounce returns (RFC 3462). */
const returnedIds = ({ attachments }: Email): string =>
  attachments
    .filter(({ mimeType }) => RETURNED.has(mimeType))
    .map(({ content }) => bytesOf(content).toString('latin1', 0, 65_536))
    .map((text) => /^message-id:[ \t]{0,9}(<[^<>\s]{1,900}>)/im.exec(text)?.[1] ?? '')
    .join(' ')

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array)

const filesOf = ({ attachments }: Email): MailFile[] =>
  attachments.slice(0, MOST_FILES).map(({ filename, content }) => ({
    name: filename ?? '',
    bytes: bytesOf(content),
  }))
