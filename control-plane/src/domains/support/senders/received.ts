import { isAddress } from '@lodge/shared/addresses.ts'

/** How much of the header is read. */
const MOST_BYTES = 65_536

/** The server that handed a mail to a relay. */
interface HandedOver {
  readonly clientAddress: string
  /** The name that it gave in HELO. */
  readonly helo: string
}

/**
 * The client of the server from which we have a mail, according to that server's `Received` field at
 * the top (RFC 5321, 4.4). For mail from a trusted relay, this is the client for SPF (RFC 7208, 4.1):
 * no sender's policy contains the relay itself. Later fields were written by others and are ignored.
 * @returns undefined if there is none, or if a client could have forged the address by choosing its
 * name
 */
export function handedOverBy(raw: Buffer): HandedOver | undefined {
  const field = topReceived(raw.toString('latin1', 0, MOST_BYTES))
  // The part after the last `by` is the relay's; a client whose name contains ` by ` only adds to its
  // own part.
  const by = field?.toLowerCase().lastIndexOf(' by ') ?? -1
  if (field === undefined || by < 0) return undefined
  const from = field.slice(0, by)
  return byAddress(from) ?? byName(from)
}

/** The common form: the name that the client gave or has, and its address in brackets. */
function byName(from: string): HandedOver | undefined {
  const [read = '', name = '', clientAddress = ''] = NAMED.exec(from) ?? []
  const literals = from.split('[').length - 1
  if (literals !== (name.startsWith('[') ? 2 : 1) || !isAddress(clientAddress)) return undefined
  const rest = from.slice(read.length)
  // Some write the name in brackets and then the address: `from host (HELO [name]) (address)`.
  if (ADDRESS.test(rest)) return undefined
  return { clientAddress, helo: EXIM_HELO.exec(rest)?.[1] ?? name }
}

/**
 * Exim's form for a client whose address has no name: the address, and in brackets what the client
 * said. Nothing else may follow: in other forms the first word is the name that the client gave.
 */
function byAddress(from: string): HandedOver | undefined {
  const [, clientAddress = '', helo = ''] = NAMELESS.exec(from) ?? []
  return isAddress(clientAddress) && !ADDRESS.test(helo) ? { clientAddress, helo } : undefined
}

/**
 * The name that the client gave, and in brackets its address with the address's name, which must not
 * begin like Exim's notes about a client.
 */
const NAMED =
  /^\s{0,9}from\s{1,9}(\[[^\s()[\]]{1,255}\]|[^\s()[\]]{1,255})\s{1,9}\((?:(?!helo=|port=|ident=)[^\s()[\]]{1,255}\s{1,9})?\[(?:IPv6:)?([\da-f.:]{2,45})\]/i

/** What the client said, where Exim writes it beside a name that it looked up. */
const EXIM_HELO =
  /^(?::\d{1,5})?\s{1,9}helo=([^\s()[\]]{1,255})(?:\s{1,9}ident=[^\s()[\]]{1,255})?\)/

const NAMELESS =
  /^\s{0,9}from\s{1,9}\[(?:IPv6:)?([\da-f.:]{2,45})\]\s{1,9}\((?:port=\d{1,5}\s{1,9})?helo=([^\s()[\]]{1,255})(?:\s{1,9}ident=[^\s()[\]]{1,255})?\)\s{0,9}$/i

/** Anything that looks like an address, in any brackets. */
const ADDRESS = /\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f]{0,4}:/i

/** The first Received field, unfolded. */
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
