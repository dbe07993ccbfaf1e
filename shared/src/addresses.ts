import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Unwraps an IPv4-mapped IPv6 address and drops the zone (`%eth0`). */
function parsed(text: string): Address | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv6) delete address.zoneId
  return address
}

/** The canonical spelling of an address, e.g. `192.0.2.1` for `::ffff:c000:201`; other texts unchanged. */
export const plainAddress = (text: string): string => parsed(text)?.toString() ?? text

export const isAddress = (text: string): boolean => parsed(text) !== undefined

/** The network of one caller: the IPv4 address, or the /64 of an IPv6 address, e.g. `2001:db8::/64`. */
export function networkOf(text: string): string {
  const address = parsed(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

/** A network as address and prefix length; IPv4-mapped networks become IPv4. */
function networkIn(entry: string): [Address, number] {
  const [text = '', given] = entry.split('/')
  const written = ipaddr.parse(text)
  const most = written.kind() === 'ipv6' ? 128 : 32
  const bits = given === undefined ? most : Number(given)
  const address = bits >= most - 32 ? ipaddr.process(text) : written
  const mapped = address.kind() !== written.kind()
  return [address, mapped ? bits - 96 : bits]
}

/** A set of addresses and networks, e.g. `192.0.2.7` or `2001:db8::/32`. @throws Error for anything else */
export function addressSet(entries: readonly string[]): (address: string) => boolean {
  const networks = entries.map(networkIn)
  return (text) => {
    const address = parsed(text)
    if (!address) return false
    return networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

/**
 * Whether an address is on the public internet. Private, local, reserved and tunnelled addresses
 * are not: our own machines and cloud metadata services have those.
 */
export const isPublicAddress = (text: string): boolean => parsed(text)?.range() === 'unicast'
