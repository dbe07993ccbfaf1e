import { FORWARDED_MARK, workloadChains } from '@lodge/driver/network/closed.ts'
import type { MachineNetwork, NatRule } from '@lodge/shared/machine-spec.ts'
import type { NetworkOpening } from '@lodge/shared/network-opening.ts'
import { blockOf } from './addresses.ts'
import { tapName } from './names.ts'

export interface Guest {
  readonly network: MachineNetwork
  readonly natRules: readonly NatRule[]
}

/**
 * All nftables rules for the machines as one transaction for `nft -f`, which replaces the tables
 * completely. User input enters only as validated addresses, ports and names.
 */
export function ruleset(
  table: string,
  guests: readonly Guest[],
  openings: readonly NetworkOpening[] = [],
): string {
  return [...bridgeTable(table, guests), ...routedTable(table, guests, openings), ''].join('\n')
}

const replace = (family: string, table: string) => [
  `table ${family} ${table} {}`,
  `delete table ${family} ${table}`,
]

function set(name: string, type: string, elements: readonly string[]): string[] {
  const unique = [...new Set(elements)].sort()
  const listed = unique.length > 0 ? ` elements = { ${unique.join(', ')} };` : ''
  return [`  set ${name} { type ${type};${listed} }`]
}

/** Anti-spoofing: a guest may only use its own tap device, hardware address and IPv4 address. */
function bridgeTable(table: string, guests: readonly Guest[]): string[] {
  const of = guests.map(({ network: { mac, address } }) => ({ tap: tapName(mac), mac, address }))
  return [
    ...replace('bridge', table),
    `table bridge ${table} {`,
    ...set(
      'taps',
      'ifname',
      of.map(({ tap }) => `"${tap}"`),
    ),
    ...set(
      'cards',
      'ifname . ether_addr',
      of.map(({ tap, mac }) => `"${tap}" . ${mac}`),
    ),
    ...set(
      'guests',
      'ifname . ether_addr . ipv4_addr',
      of.map(({ tap, mac, address }) => `"${tap}" . ${mac} . ${address}`),
    ),
    '  chain prerouting {',
    '    type filter hook prerouting priority -300; policy accept;',
    '    iifname @taps jump guest',
    '  }',
    '  chain guest {',
    '    iifname . ether saddr != @cards drop',
    '    ether type arp iifname . arp saddr ether != @cards drop',
    '    ether type arp arp saddr ip 0.0.0.0 accept',
    '    ether type arp iifname . ether saddr . arp saddr ip @guests accept',
    '    ether type ip udp sport 67 drop',
    '    ether type ip ip saddr 0.0.0.0 udp sport 68 udp dport 67 accept',
    '    ether type ip iifname . ether saddr . ip saddr @guests accept',
    '    drop',
    '  }',
    '}',
  ]
}

function routedTable(
  table: string,
  guests: readonly Guest[],
  openings: readonly NetworkOpening[],
): string[] {
  // If two machines claim a port, the first one gets it: a duplicate would invalidate the whole
  // ruleset.
  const targets = new Map<string, string>()
  for (const { network, natRules } of guests)
    for (const { protocol, hostPort, guestPort } of natRules) {
      const port = `${protocol} . ${hostPort}`
      if (!targets.has(port)) targets.set(port, `${network.address} . ${guestPort}`)
    }
  const forwards = [...targets].map(([port, target]) => `${port} : ${target}`)
  // In a network of the host, guests may have a gateway other than the node.
  const hosted = guests.flatMap(({ network: { mode, address }, natRules }) =>
    mode === 'configured' && natRules.length > 0 ? [address] : [],
  )
  const networks = [
    ...new Map(
      guests.flatMap(({ network: { mode, bridge, address, prefixLength, gateway } }) =>
        mode === 'nat' && bridge !== null
          ? [[bridge, { bridge, gateway, block: blockOf(address, prefixLength) }]]
          : [],
      ),
    ).values(),
  ].sort((a, b) => (a.bridge < b.bridge ? -1 : 1))
  type Network = (typeof networks)[number]
  const each = (rules: (network: Network) => string[]) =>
    networks.flatMap(rules).map((rule) => `    ${rule}`)
  // The node routes for them only if the host's network leads through it.
  const configured = guests.flatMap(({ network }) =>
    network.mode === 'configured' ? [network] : [],
  )
  const names = new Set(guests.flatMap(({ network: { dns } }) => dns))
  return [
    ...replace('ip', table),
    `table ip ${table} {`,
    '  map forwards {',
    '    type inet_proto . inet_service : ipv4_addr . inet_service;',
    ...(forwards.length > 0 ? [`    elements = { ${forwards.sort().join(', ')} };`] : []),
    '  }',
    ...set('hosted', 'ipv4_addr', hosted),
    ...set(
      'configured',
      'ipv4_addr',
      configured.map(({ address }) => address),
    ),
    ...set(
      'gateways',
      'ipv4_addr . ipv4_addr',
      configured.map(({ address, gateway }) => `${address} . ${gateway}`),
    ),
    ...workloadChains({
      openings,
      resolvers: [...names].sort(),
      workloads: networks.map(({ block }) => block),
      family: 'ip',
    }),
    // What the node offers guests of its own networks.
    '  chain services {',
    '    udp dport { 53, 67 } accept',
    '    tcp dport 53 accept',
    '    icmp type echo-request accept',
    '  }',
    '  chain prerouting {',
    '    type nat hook prerouting priority -100; policy accept;',
    '    fib daddr type local dnat ip to meta l4proto . th dport map @forwards',
    '  }',
    '  chain output {',
    '    type nat hook output priority -100; policy accept;',
    '    fib daddr type local dnat ip to meta l4proto . th dport map @forwards',
    '  }',
    '  chain postrouting {',
    '    type nat hook postrouting priority 100; policy accept;',
    ...each(({ bridge, block }) => [
      `ip saddr 127.0.0.0/8 oifname "${bridge}" masquerade`,
      // A guest that reaches another through a port of the node must get its replies from the node.
      `ip saddr ${block} ip daddr ${block} oifname "${bridge}" ct status dnat masquerade`,
      `ip saddr ${block} ip daddr != ${block} masquerade`,
    ]),
    '    ip daddr @hosted ct status dnat masquerade',
    '  }',
    '  chain forward {',
    '    type filter hook forward priority -10; policy accept;',
    `    ip daddr @hosted ct status dnat meta mark set ${FORWARDED_MARK}`,
    `    ip saddr @hosted ct status dnat meta mark set ${FORWARDED_MARK}`,
    // A guest's outgoing traffic is filtered first, even when its destination is another guest.
    ...each(({ bridge, block }) => [
      `iifname "${bridge}" ip saddr != ${block} drop`,
      `iifname "${bridge}" jump beyond`,
    ]),
    // Traffic within its own segment needs no router, but some kernels pass these packets through
    // here.
    ...configured.map(
      ({ address, prefixLength }) =>
        `    ip saddr ${address} ip daddr != ${blockOf(address, prefixLength)} jump beyond`,
    ),
    ...each(({ bridge }) => [
      `oifname "${bridge}" ct state established,related accept`,
      `oifname "${bridge}" ct status dnat accept`,
      `oifname "${bridge}" drop`,
    ]),
    '  }',
    '  chain input {',
    '    type filter hook input priority -10; policy accept;',
    ...each(({ bridge, gateway }) => [
      `iifname "${bridge}" ct state established,related accept`,
      // Replies to the node's own connections return to 127.0.0.1; nothing else may go there.
      `iifname "${bridge}" ip daddr 127.0.0.0/8 drop`,
      `iifname "${bridge}" ip daddr { ${gateway}, 255.255.255.255 } jump services`,
      `iifname "${bridge}" jump node`,
    ]),
    '    ip saddr . ip daddr @gateways jump services',
    '    ip saddr @configured jump node',
    '  }',
    '}',
  ]
}
