import { BlockList, isIP } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** An IPv4 address that came in as one of IPv6 is the IPv4 address. */
export const plainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A set of addresses and networks, e.g. `192.0.2.7` or `2001:db8::/32`. */
export function addressSet(entries: readonly string[]): (address: string) => boolean {
  const set = new BlockList()
  for (const entry of entries) {
    const [text = '', bits] = entry.split('/')
    const network = plainAddress(text)
    if (bits === undefined) set.addAddress(network, familyOf(network))
    else set.addSubnet(network, Number(bits), familyOf(network))
  }
  return (address) => {
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && set.check(plain, familyOf(plain))
  }
}

/**
 * Who is behind a connection: the nearest address that is no trusted proxy. What stands further to the
 * left in `X-Forwarded-For` is hearsay of strangers.
 * @param trusted whether an address is a configured proxy
 */
export function clientAddress(
  remote: string,
  forwardedFor: string | undefined,
  trusted: (address: string) => boolean,
): string {
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => hop.trim()), remote].reverse()
  return hops.find((hop, at) => at === hops.length - 1 || !trusted(hop)) || remote
}
