import { isAddress } from '@lodge/shared/addresses.ts'

/** Of a header that is read. */
const MOST_BYTES = 65_536

/** The server that handed a mail to a relay. */
interface HandedOver {
  readonly clientAddress: string
  /** As it named itself. */
  readonly helo: string
}

/**
 * Who handed a mail to the server from which we have it, as that server notes above everything else
 * (`Received`, RFC 5321, 4.4). For mail of a relay that the operator trusts, this is the client that SPF
 * is about (RFC 7208, 4.1): the relay itself is in the policy of no sender. Fields below the first were
 * written by others and are not looked at.
 * @returns undefined if it notes none, or so that a client which chose its name cleverly could have
 * written an address
 */
export function handedOverBy(raw: Buffer): HandedOver | undefined {
  const field = topReceived(raw.toString('latin1', 0, MOST_BYTES))
  // What comes after the last `by` is of the relay; a client that names itself so only ends up with more.
  const by = field?.toLowerCase().lastIndexOf(' by ') ?? -1
  if (field === undefined || by < 0) return undefined
  const from = field.slice(0, by)
  return byAddress(from) ?? byName(from)
}

/** As most note it: the name that the client gave or has, and in brackets from where it connected. */
function byName(from: string): HandedOver | undefined {
  const [read = '', name = '', clientAddress = ''] = NAMED.exec(from) ?? []
  const literals = from.split('[').length - 1
  if (literals !== (name.startsWith('[') ? 2 : 1) || !isAddress(clientAddress)) return undefined
  const rest = from.slice(read.length)
  // Some note the name in brackets and the address after it: `from host (HELO [name]) (address)`.
  if (ADDRESS.test(rest)) return undefined
  return { clientAddress, helo: EXIM_HELO.exec(rest)?.[1] ?? name }
}

/**
 * As Exim notes a client whose address has no name: the address, and in brackets what the client said.
 * Nothing else may be there: elsewhere what stands first is the name that the client gave.
 */
function byAddress(from: string): HandedOver | undefined {
  const [, clientAddress = '', helo = ''] = NAMELESS.exec(from) ?? []
  return isAddress(clientAddress) && !ADDRESS.test(helo) ? { clientAddress, helo } : undefined
}

/**
 * The name that the client gave, and in brackets from where it connected, with the name of that: which
 * is none that begins as what Exim notes of a client does.
 */
const NAMED =
  /^\s{0,9}from\s{1,9}(\[[^\s()[\]]{1,255}\]|[^\s()[\]]{1,255})\s{1,9}\((?:(?!helo=|port=|ident=)[^\s()[\]]{1,255}\s{1,9})?\[(?:IPv6:)?([\da-f.:]{2,45})\]/i

/** What the client said, where Exim notes it beside a name that it looked up. */
const EXIM_HELO =
  /^(?::\d{1,5})?\s{1,9}helo=([^\s()[\]]{1,255})(?:\s{1,9}ident=[^\s()[\]]{1,255})?\)/

const NAMELESS =
  /^\s{0,9}from\s{1,9}\[(?:IPv6:)?([\da-f.:]{2,45})\]\s{1,9}\((?:port=\d{1,5}\s{1,9})?helo=([^\s()[\]]{1,255})(?:\s{1,9}ident=[^\s()[\]]{1,255})?\)\s{0,9}$/i

/** What looks like an address, in whatever brackets. */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f]{0,4}:/i

/** The first field of the name, in one line. */
function topReceived(head: string): string | undefined {
  const lines = head.split(/\r?\n/)
  const end = lines.indexOf('')
  const fields = end < 0 ? lines : lines.slice(0, end)
  const at = fields.findIndex((line) => /^received[ \t]{0,9}:/i.test(line))
  if (at < 0) return undefined
  const after = fields.slice(at + 1)
  const next = after.findIndex((line) => !/^[ \t]/.test(line))
  const whole = [fields[at], ...(next < 0 ? after : after.slice(0, next))].join(' ')
  return whole.slice(whole.indexOf(':') + 1).replaceAll(/\s+/g, ' ')
}
