import ipaddr from 'ipaddr.js'
import { z } from 'zod'

/** An IPv4 network with a shorter prefix can only be opened with ports. */
const WIDEST_IPV4_BITS = 8
/** For IPv6: the prefix length of the private block fc00::/7. */
const WIDEST_IPV6_BITS = 7

/** The network that an entry means: `10.0.5.0/24` for `10.0.5.7/24`; a single address is its own network. */
function networkOf(text: string): string {
  const cidr = text.includes('/')
    ? text
    : `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`
  const [address, bits] = ipaddr.parseCIDR(cidr)
  const first =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${first.toString()}/${bits}`
}

const openNetwork = z
  .union([z.ipv4(), z.cidrv4(), z.ipv6(), z.cidrv6()], {
    error: 'must be an address or a network such as 10.0.5.0/24',
  })
  .superRefine((text, context) => {
    const [address = '', bits] = text.split('/')
    if (bits === undefined) return
    const network = networkOf(text)
    if (ipaddr.parse(address).toString() === network.split('/')[0]) return
    context.addIssue({ code: 'custom', message: `has bits set after its length: write ${network}` })
  })
  .transform(networkOf)

const openPorts = z
  .strictObject({ from: z.int().min(1).max(65535), to: z.int().min(1).max(65535) })
  .refine((range) => range.from <= range.to, 'the range ends before it begins')

/**
 * What the workloads of a node may reach besides the public internet. Without a protocol all
 * protocols, without ports all ports except 25, which must be named.
 */
export const NetworkOpening = z
  .strictObject({
    network: openNetwork.describe('such as 10.0.5.0/24 or 10.0.5.7'),
    protocol: z.enum(['tcp', 'udp']).nullable().default(null),
    ports: openPorts.nullable().default(null),
  })
  .superRefine(({ network, protocol, ports }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (ports && !protocol) issue('protocol', 'must be tcp or udp where ports are named')
    const bits = Number(network.split('/')[1])
    const widest = network.includes(':') ? WIDEST_IPV6_BITS : WIDEST_IPV4_BITS
    if (bits < widest && !ports)
      issue('network', `is wider than /${widest}: name the ports that are to be open`)
  })
export type NetworkOpening = z.infer<typeof NetworkOpening>

export const NetworkOpenings = z.array(NetworkOpening).max(64)

/** As one line: `10.0.5.0/24`, `10.0.5.7/32 tcp 5432` or `10.0.5.0/24 udp 27000-27100`. */
export function formatOpening({ network, protocol, ports }: NetworkOpening): string {
  const range = ports && (ports.from === ports.to ? `${ports.from}` : `${ports.from}-${ports.to}`)
  return [network, protocol, range].filter(Boolean).join(' ')
}

/** Parses such lines and skips empty ones; an unreadable line becomes a value that the schema rejects. */
export function readOpenings(text: string): unknown[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [network, protocol = null, range = null, ...rest] = line.split(/\s+/)
      const [from = '', to = from] = rest.length > 0 ? [] : (range?.split('-') ?? [])
      return { network, protocol, ports: range && { from: Number(from), to: Number(to) } }
    })
}
