import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** An IPv4 address that came in as one of IPv6 is the IPv4 address; a zone (`%eth0`) tells nothing. */
function parsed(text: string): Address | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (address instanceof ipaddr.IPv6) delete address.zoneId
  return address
}

/** One address in its one spelling, e.g. `192.0.2.1` for `::ffff:c000:201`; anything else as it is. */
export const plainAddress = (text: string): string => parsed(text)?.toString() ?? text

export const isAddress = (text: string): boolean => parsed(text) !== undefined

/** What one caller has to itself: the address, or for IPv6 the /64 that it is in, e.g. `2001:db8::/64`. */
export function networkOf(text: string): string {
  const address = parsed(text)
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? text
  return `${new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

/** A network as address and length of its prefix; what maps IPv4 is taken as IPv4. */
function networkIn(entry: string): [Address, number] {
  const [text = '', given] = entry.split('/')
  const written = ipaddr.parse(text)
  const most = written.kind() === 'ipv6' ? 128 : 32
  const bits = given === undefined ? most : Number(given)
  const address = bits >= most - 32 ? ipaddr.process(text) : written
  const mapped = address.kind() !== written.kind()
  return [address, mapped ? bits - 96 : bits]
}

/** A set of addresses and networks, e.g. `192.0.2.7` or `2001:db8::/32`. @throws Error for other texts */
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
 * Whether an address is one of the public internet. Private, local, reserved and tunnelled ones are not:
 * behind them are our own machines and the metadata services of clouds.
 */
export const isPublicAddress = (text: string): boolean => parsed(text)?.range() === 'unicast'
