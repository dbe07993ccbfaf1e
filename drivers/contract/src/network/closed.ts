import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import ipaddr from 'ipaddr.js'

/**
 * Networks that workloads cannot reach unless the node's operator opens them: private and
 * special-purpose ranges, and IPv6 prefixes that translate to them.
 */
export const CLOSED_NETWORKS = {
  ipv4: [
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
  ],
  ipv6: ['64:ff9b::/96', '64:ff9b:1::/48', 'fc00::/7', 'fe80::/10'],
} as const

/**
 * Cloud metadata services, which hand out credentials: opened only by an entry inside these ranges,
 * not by a wider one.
 */
const METADATA_NETWORKS = ['169.254.0.0/16', '168.63.129.16/32', 'fd00:ec2::/32', 'fe80::/10']

/** Marks packets between workloads that arrived through a public address of the node. */
export const FORWARDED_MARK = '0x4c64'

export interface WorkloadRules {
  readonly openings: readonly NetworkOpening[]
  /** The node's own name servers, which workloads may query. */
  readonly resolvers: readonly string[]
  /** IPv4 networks of workloads, which are closed as well. */
  readonly workloads: readonly string[]
  /** The family of the table that holds the chains; `ip` has no IPv6. */
  readonly family: 'inet' | 'ip'
}

/**
 * Renders two chains and their sets. `beyond` filters traffic from a workload to anywhere but the
 * node, by its original destination; `node` filters traffic to the node itself. Only replies pass
 * unfiltered, so that closing a network also cuts established connections into it.
 */
export function workloadChains(rules: WorkloadRules): string[] {
  const { openings, resolvers, workloads, family } = rules
  const six = family === 'inet'
  const known = openings.filter(({ network }) => six || !isSix(network))
  const inside = (opening: NetworkOpening) =>
    METADATA_NETWORKS.some((network) => contains(network, opening.network))
  const closed = [
    ['closed4', 'ip', [...CLOSED_NETWORKS.ipv4, ...workloads]],
    ['metadata4', 'ip', METADATA_NETWORKS.filter((network) => !isSix(network))],
    ['resolvers4', 'ip', resolvers.filter((address) => !isSix(address))],
    ['closed6', 'ip6', [...CLOSED_NETWORKS.ipv6]],
    ['metadata6', 'ip6', METADATA_NETWORKS.filter(isSix)],
    ['resolvers6', 'ip6', resolvers.filter(isSix)],
  ] as const
  const sets = closed.filter(([, version]) => six || version === 'ip')
  const each = (word: string, rule: (version: string, set: string) => string) =>
    sets
      .filter(([name]) => name.startsWith(word))
      .map(([name, version]) => `    ${rule(version, name)}`)
  const answers = [
    '    ct state invalid,untracked drop',
    '    ct direction reply accept',
    '    ct state related accept',
  ]
  return [
    ...sets.map(([name, version, networks]) => networkSet(name, version, networks)),
    '  chain beyond {',
    ...answers,
    ...each('resolvers', (version, set) => `ct original ${version} daddr @${set} jump names`),
    ...known.filter(inside).map((opening) => `    ${beyond(opening)}`),
    ...each('metadata', (version, set) => `ct original ${version} daddr @${set} drop`),
    ...known.filter((opening) => !inside(opening)).map((opening) => `    ${beyond(opening)}`),
    ...each('closed', (version, set) => `ct original ${version} daddr @${set} drop`),
    '    meta l4proto tcp ct original proto-dst 25 drop',
    '    accept',
    '  }',
    '  chain all_but_mail {',
    '    meta l4proto != tcp accept',
    '    meta l4proto tcp ct original proto-dst != 25 accept',
    '  }',
    '  chain names {',
    '    meta l4proto tcp ct original proto-dst 53 accept',
    '    meta l4proto udp ct original proto-dst 53 accept',
    '  }',
    '  chain node {',
    ...answers,
    ...each(
      'resolvers',
      (version, set) => `${version} daddr @${set} meta l4proto { tcp, udp } th dport 53 accept`,
    ),
    ...known.filter(isOneDoor).map((opening) => `    ${toNode(opening)}`),
    '    drop',
    '  }',
  ]
}

function networkSet(name: string, version: string, networks: readonly string[]): string {
  const elements = networks.length > 0 ? ` elements = { ${networks.join(', ')} };` : ''
  return `  set ${name} { type ${version === 'ip' ? 'ipv4' : 'ipv6'}_addr; flags interval; auto-merge;${elements} }`
}

const isSix = (network: string): boolean => network.includes(':')
const version = ({ network }: NetworkOpening) => (isSix(network) ? 'ip6' : 'ip')

function contains(outer: string, inner: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(outer)
  const [address, length] = ipaddr.parseCIDR(inner)
  return network.kind() === address.kind() && length >= bits && address.match([network, bits])
}

const rangeOf = ({ from, to }: { from: number; to: number }) =>
  from === to ? `${from}` : `${from}-${to}`

function beyond(opening: NetworkOpening): string {
  const { network, protocol, ports } = opening
  const to = `ct original ${version(opening)} daddr ${network}`
  if (protocol && ports)
    return `${to} meta l4proto ${protocol} ct original proto-dst ${rangeOf(ports)} accept`
  if (protocol === 'udp') return `${to} meta l4proto udp accept`
  // SMTP needs an explicit opening, because a rented server that sends spam gets the whole node
  // blocklisted.
  if (protocol === 'tcp') return `${to} meta l4proto tcp ct original proto-dst != 25 accept`
  return `${to} jump all_but_mail`
}

/**
 * Only an opening for a single address and port reaches the node itself; wide networks do not,
 * whatever address the node has in them.
 */
function isOneDoor({ network, ports }: NetworkOpening): boolean {
  return ports !== null && network.endsWith(isSix(network) ? '/128' : '/32')
}

function toNode(opening: NetworkOpening): string {
  const { network, protocol, ports } = opening
  return `${version(opening)} daddr ${network} ${protocol} dport ${ports && rangeOf(ports)} accept`
}
