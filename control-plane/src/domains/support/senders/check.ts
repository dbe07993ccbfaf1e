import { isPublicAddress } from '@lodge/shared/addresses.ts'
import { bounded, type NameLookup } from '@lodge/shared/egress/lookups.ts'
import type { CheckResult, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import { type ReadHeader, verifySignatures } from './signatures.ts'

/** For all lookups of a mail: a mail server waits for minutes, a bridge for less. */
const WITHIN_MS = 15_000
/** For SPF policies, which may include each other. */
const MOST_SPF_LOOKUPS = 40
/** For DKIM keys, DMARC policies and organizational domains. */
const MOST_LOOKUPS = 80

/** How a mail server delivered a mail. */
export interface Envelope {
  readonly clientAddress: string
  /** The name that it gave in HELO. */
  readonly helo: string
  /** The return path; empty for a bounce. */
  readonly sender: string
}

export interface Given {
  /** The From address, which readers of the mail see. */
  readonly from: string
  /** Undefined if another server received it, in which case SPF is unknown. */
  readonly envelope: Envelope | undefined
  readonly lookup: NameLookup
  /** The name of our mail server. */
  readonly host: string
  readonly now: Date
  /** For all lookups. */
  readonly withinMs?: number
}

export interface Found {
  readonly check: SenderCheck
  /** A decisive lookup failed: try again later. */
  readonly isUnsure: boolean
}

/**
 * Checks whether a sender's domain vouches for a mail: by its signatures (DKIM), by the sending
 * server (SPF), and by the domain's policy on both (DMARC). Claims in the mail itself are not
 * trusted.
 */
export async function checkSender(raw: Buffer, given: Given): Promise<Found> {
  const { formatDomain, getAlignment } = await import('mailauth/lib/tools.js')
  const domain = formatDomain(given.from.slice(given.from.lastIndexOf('@') + 1))
  const { withinMs = WITHIN_MS } = given
  const lookup = bounded(given.lookup, { mostLookups: MOST_LOOKUPS, withinMs })
  const isOwn = (other: string | null): boolean =>
    other !== null && getAlignment(domain, [other]) !== false

  const spfLookup = bounded(given.lookup, { mostLookups: MOST_SPF_LOOKUPS, withinMs })
  const [header, spf] = await Promise.all([
    verifySignatures(raw, { lookup, now: given.now, domain }),
    checkServer({ ...given, lookup: spfLookup, withinMs }),
  ])
  const { signatures } = header
  const dkim = best(signatures, isOwn)
  const dmarc = await checkPolicy({ header, spf, from: given.from, lookup, formatDomain })
  const ownPasses = [...signatures, spf].some((one) => one.result === 'pass' && isOwn(one.domain))
  const verified = dmarc.result === 'pass' || (dmarc.result === 'none' && ownPasses)
  const isOpen = [...signatures, spf].some((one) => one.result === 'temperror' && isOwn(one.domain))
  return {
    check: { by: 'panel', domain, verified, dkim, spf, dmarc },
    isUnsure: dmarc.result === 'temperror' || (!verified && isOpen),
  }
}

type Method = SenderCheck['spf']

/** The best signature: one of the sender's own domain, preferably a valid one. */
function best(
  signatures: ReadHeader['signatures'],
  isOwn: (domain: string) => boolean,
): SenderCheck['dkim'] {
  const worth = { pass: 4, temperror: 2, fail: 0 }
  const [first] = signatures.toSorted(
    (a, b) => worth[b.result] + Number(isOwn(b.domain)) - worth[a.result] - Number(isOwn(a.domain)),
  )
  return first ?? { result: 'none', domain: null }
}

/**
 * Whether the server may send for the domain of the envelope (RFC 7208). A server in our own network
 * relays mail of others, about which nothing is known.
 */
async function checkServer({
  envelope,
  lookup,
  host,
  withinMs,
}: Pick<Given, 'envelope' | 'lookup' | 'host'> & { withinMs: number }): Promise<Method> {
  if (envelope === undefined || !isPublicAddress(envelope.clientAddress))
    return { result: 'none', domain: null }
  const { spf } = await import('mailauth/lib/spf/index.js')
  const { clientAddress: ip, helo, sender } = envelope
  const limits = { strict: true, maxElapsedTime: withinMs }
  const { domain, status } = await spf({ ip, helo, sender, resolver: lookup, mta: host, ...limits })
  return { result: SPF_RESULTS[status.result], domain: domain || null }
}

const SPF_RESULTS = {
  pass: 'pass',
  fail: 'fail',
  softfail: 'fail',
  permerror: 'fail',
  neutral: 'none',
  none: 'none',
  temperror: 'temperror',
} as const satisfies Record<string, CheckResult>

interface Evidence {
  readonly header: ReadHeader
  readonly spf: Method
  readonly from: string
  readonly lookup: NameLookup
  formatDomain(domain: string): string
}

/**
 * The policy of the sender's domain for mail that neither DKIM nor SPF aligns with (RFC 7489, RFC
 * 9989).
 */
async function checkPolicy(given: Evidence): Promise<SenderCheck['dmarc']> {
  const { header, spf, from, lookup: resolver, formatDomain } = given
  const same = (address: string): string => {
    const at = address.lastIndexOf('@') + 1
    return `${address.slice(0, at).toLowerCase()}${formatDomain(address.slice(at))}`
  }
  const [sender, ...others] = header.from
  // The sender is ambiguous between readers: no domain can vouch for that.
  if (header.fromFields !== 1 || sender === undefined || others.length > 0) return DISOWNED
  if (same(sender) !== same(from)) return DISOWNED
  const { dmarc } = await import('mailauth/lib/dmarc/index.js')
  const found = await dmarc({
    ...{ headerFrom: [from], fromFields: 1, resolver, strict: true },
    spfDomains: spf.result === 'pass' && spf.domain !== null ? [spf.domain] : [],
    dkimDomains: header.signatures.flatMap(({ result, domain }) =>
      result === 'pass' ? [domain] : [],
    ),
  })
  if (found === false) return DISOWNED
  const { status, policy = null } = found
  return { result: status.result === 'neutral' ? 'none' : status.result, policy }
}

const DISOWNED = { result: 'fail', policy: null } as const
