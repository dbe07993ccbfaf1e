import { finished } from 'node:stream/promises'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'

/** Signatures that are looked at; each costs a hash of the mail and a lookup. */
const MOST_SIGNATURES = 3
/** A longer signature is none: names that it says to cover are looked for one by one. */
const MOST_SIGNATURE_BYTES = 8192
/**
 * Fields that decide what people read. With two of one, a signature covers one of them and a reader may
 * take the other.
 */
const ONCE = ['subject', 'content-type', 'content-transfer-encoding', 'mime-version']
/** Shorter keys can be broken (RFC 8301, 3.2). */
const LEAST_BITS = 1024
/** What the verifier is given at once, so that a large mail does not hold up everybody else. */
const CHUNK_BYTES = 262_144

interface Signature {
  readonly result: 'pass' | 'fail' | 'temperror'
  /** The domain that signed. */
  readonly domain: string
}

/** What the header of a mail says, with its signatures as they turned out. */
export interface ReadHeader {
  /** Addresses of all From fields. */
  readonly from: readonly string[]
  readonly fromFields: number
  readonly signatures: readonly Signature[]
}

interface Given {
  readonly lookup: NameLookup
  readonly now: Date
  /** The domain of the sender: its own signatures come first. */
  readonly domain: string
}

/**
 * Verifies the signatures of a mail (RFC 6376, RFC 8463). One that leaves a part of the text open
 * proves nothing: anybody could have added that part.
 */
export async function verifySignatures(
  raw: Buffer,
  { lookup, now, domain }: Given,
): Promise<ReadHeader> {
  // Loaded by the first mail: most installations receive none.
  const { DkimVerifier } = await import('mailauth/lib/dkim/dkim-verifier.js')
  let isAmbiguous = false
  class Verifier extends DkimVerifier {
    override async messageHeaders(fields: MailHeaderFields): Promise<void> {
      isAmbiguous = ONCE.some((name) => fields.parsed.filter(({ key }) => key === name).length > 1)
      await super.messageHeaders({ ...fields, parsed: fewSignatures(fields.parsed, domain) })
      // A signature may cover the others.
      this.headers = fields
    }
  }
  const options = { resolver: lookup, curTime: now, minBitLength: LEAST_BITS }
  // It would read the envelope from the header if it were not given; nothing here uses it.
  const verifier = new Verifier({ ...options, strict: true, sender: 'unused@example.invalid' })
  const text = withCompleteLineEnds(raw)
  const done = finished(verifier)
  // It may fail while it is still written to; whoever waits for it below hears of it.
  done.catch(() => undefined)
  for (let at = 0; at < text.length && !verifier.errored; at += CHUNK_BYTES) {
    verifier.write(text.subarray(at, at + CHUNK_BYTES))
    await new Promise((resolve) => setImmediate(resolve))
  }
  verifier.end()
  await done
  const { headerFrom: from, fromFields, results } = verifier
  return { from, fromFields, signatures: isAmbiguous ? [] : results.flatMap(signatureOf) }
}

function signatureOf({ signingDomain, status }: CheckedSignature): Signature[] {
  const { result, underSized = 0 } = status
  if (result === 'none' || !signingDomain) return []
  if (result === 'temperror') return [{ result, domain: signingDomain }]
  const isWhole = result === 'pass' && underSized === 0
  return [{ result: isWhole ? 'pass' : 'fail', domain: signingDomain }]
}

/** The fields without all but a few signatures, and without what mail servers on the way signed. */
function fewSignatures(
  fields: readonly MailHeaderField[],
  domain: string,
): readonly MailHeaderField[] {
  const signatures = fields.filter(
    ({ key, line }) => key === 'dkim-signature' && line.length <= MOST_SIGNATURE_BYTES,
  )
  const own = signatures.filter(({ line }) => isOf(line, domain))
  const few = new Set([...new Set([...own, ...signatures])].slice(0, MOST_SIGNATURES))
  return fields.filter(
    (field) => !field.key?.startsWith('arc-') && (field.key !== 'dkim-signature' || few.has(field)),
  )
}

/** Whether a signature says that it is of a domain, or of one above or below it. */
function isOf(line: Buffer, domain: string): boolean {
  const named = /[:;\s]d\s{0,9}=\s{0,9}([^\s;]{1,255})/i.exec(line.toString('latin1'))?.[1]
  const signer = named?.toLowerCase()
  return (
    signer !== undefined && (`.${signer}`.endsWith(`.${domain}`) || domain.endsWith(`.${signer}`))
  )
}

/** Lines end as they do in mails; the verifier would change them one by one. */
function withCompleteLineEnds(raw: Buffer): Buffer {
  const text = raw.toString('latin1')
  return /(?:^|[^\r])\n/.test(text) ? Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1') : raw
}
