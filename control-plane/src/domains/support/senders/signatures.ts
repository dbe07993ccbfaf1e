import { finished } from 'node:stream/promises'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'

/** How many signatures are checked; each costs a hash of the mail and a lookup. */
const MOST_SIGNATURES = 3
/** A longer signature is ignored: the names that it covers are searched one by one. */
const MOST_SIGNATURE_BYTES = 8192
/**
 * Fields that decide what people read. If one occurs twice, a signature covers one and a reader may
 * show the other.
 */
const ONCE = ['subject', 'content-type', 'content-transfer-encoding', 'mime-version']
/** Shorter keys can be broken (RFC 8301, 3.2). */
const LEAST_BITS = 1024
/** Bytes passed to the verifier in one go: small enough that a large mail does not block others. */
const CHUNK_BYTES = 262_144

interface Signature {
  readonly result: 'pass' | 'fail' | 'temperror'
  /** The signing domain. */
  readonly domain: string
}

/** The header of a mail, with the results of its signatures. */
export interface ReadHeader {
  /** Addresses of all From fields. */
  readonly from: readonly string[]
  readonly fromFields: number
  readonly signatures: readonly Signature[]
}

interface Given {
  readonly lookup: NameLookup
  readonly now: Date
  /** The sender's domain: its own signatures are checked first. */
  readonly domain: string
}

/**
 * Verifies the signatures of a mail (RFC 6376, RFC 8463). One that does not cover the whole text
 * proves nothing: anybody could have added the rest.
 */
export async function verifySignatures(
  raw: Buffer,
  { lookup, now, domain }: Given,
): Promise<ReadHeader> {
  // Loaded with the first mail: most installations receive none.
  const { DkimVerifier } = await import('mailauth/lib/dkim/dkim-verifier.js')
  let isAmbiguous = false
  class Verifier extends DkimVerifier {
    override async messageHeaders(fields: MailHeaderFields): Promise<void> {
      isAmbiguous = ONCE.some((name) => fields.parsed.filter(({ key }) => key === name).length > 1)
      await super.messageHeaders({ ...fields, parsed: fewSignatures(fields.parsed, domain) })
      // A signature may cover other signatures.
      this.headers = fields
    }
  }
  const options = { resolver: lookup, curTime: now, minBitLength: LEAST_BITS }
  // Without a given envelope it would take one from the header; it is not used here.
  const verifier = new Verifier({ ...options, strict: true, sender: 'unused@example.invalid' })
  const text = withCompleteLineEnds(raw)
  const done = finished(verifier)
  // It may fail during the writes; the await below gets the error.
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

/** The fields without all but a few signatures, and without signatures of relays. */
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

/** Whether a signature claims this domain, a parent or a subdomain. */
function isOf(line: Buffer, domain: string): boolean {
  const named = /[:;\s]d\s{0,9}=\s{0,9}([^\s;]{1,255})/i.exec(line.toString('latin1'))?.[1]
  const signer = named?.toLowerCase()
  return (
    signer !== undefined && (`.${signer}`.endsWith(`.${domain}`) || domain.endsWith(`.${signer}`))
  )
}

/** Normalizes line ends to CRLF; the verifier would convert them one by one. */
function withCompleteLineEnds(raw: Buffer): Buffer {
  const text = raw.toString('latin1')
  return /(?:^|[^\r])\n/.test(text) ? Buffer.from(text.replaceAll(/\r?\n/g, '\r\n'), 'latin1') : raw
}
