import { isPublicAddress } from '@lodge/shared/addresses.ts'
import { bounded, type NameLookup } from '@lodge/shared/egress/lookups.ts'
import type { CheckResult, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import { type ReadHeader, verifySignatures } from './signatures.ts'

/** All lookups about a mail: a mail server waits for its answer for minutes, a bridge for less. */
const WITHIN_MS = 15_000
/** For the policies of sending servers, which domains nest. */
const MOST_SPF_LOOKUPS = 40
/** For keys, policies and organizations. */
const MOST_LOOKUPS = 80

/** How a mail server handed over a mail. */
export interface Envelope {
  readonly clientAddress: string
  /** As it names itself. */
  readonly helo: string
  /** To whom a bounce goes; empty for a bounce. */
  readonly sender: string
}

export interface Given {
  /** The sender, as whoever reads the mail sees it. */
  readonly from: string
  /** Undefined if somebody else received it: whether the server may send for its domain is unknown then. */
  readonly envelope: Envelope | undefined
  readonly lookup: NameLookup
  /** The name of this mail server. */
  readonly host: string
  readonly now: Date
  /** For all lookups. */
  readonly withinMs?: number
}

export interface Found {
  readonly check: SenderCheck
  /** What would decide could not be looked up: ask again later. */
  readonly isUnsure: boolean
}

/**
 * Finds out whether the domain of a sender vouches for a mail: by its signatures (DKIM), by the server
 * that sent it (SPF), and by what the domain says about both (DMARC). Nothing is believed that the
 * mail says about itself.
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

/** The signature that says most: one of the sender's own domain, and one that is right. */
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
 * Whether the server may send for the domain of the envelope (RFC 7208). A server of our own network
 * passes on what others sent: of those nothing is known.
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

/** What the domain of the sender says about mail of which neither belongs to it (RFC 7489, RFC 9989). */
async function checkPolicy(given: Evidence): Promise<SenderCheck['dmarc']> {
  const { header, spf, from, lookup: resolver, formatDomain } = given
  const same = (address: string): string => {
    const at = address.lastIndexOf('@') + 1
    return `${address.slice(0, at).toLowerCase()}${formatDomain(address.slice(at))}`
  }
  const [sender, ...others] = header.from
  // Two readers of the mail see two senders: no domain can vouch for that.
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
