import { DriverError } from '@lodge/driver/driver.ts'
import type { MachineNetwork } from '@lodge/shared/machine-spec.ts'
import type { Domains } from '../domain/domains.ts'
import type { Locks } from '../host/locks.ts'
import type { Settings } from '../options.ts'
import { isAbsent } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import { element, write } from '../xml/element.ts'
import { child, type Read, readXml } from '../xml/read.ts'
import { blockOf, cidrOf, netmaskOf } from './addresses.ts'
import { removeIfEmpty } from './leave.ts'
import { clearLeftNetwork } from './left-network.ts'
import { nameInLibvirt } from './names.ts'
import { runOnNode } from './run.ts'

/** The networks of machines, and the addresses reserved in them. */
export interface Networks {
  /** Creates a `nat` network or requires a `configured` one, and reserves the machine's address. */
  ensure(network: MachineNetwork): Promise<void>
  /** Releases the machine's address; removes a `nat` network with its last one. */
  release(network: MachineNetwork): Promise<void>
}

export function libvirtNetworks(
  port: LibvirtPort,
  domains: Pick<Domains, 'list'>,
  locks: Locks,
  settings: Settings,
): Networks {
  const run = runOnNode(settings)

  async function read(name: string, where: Where = 'now'): Promise<Read | null> {
    try {
      return readXml(await port.call('networkXml', name, where))
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  const named = (network: MachineNetwork): MachineNetwork => ({
    ...network,
    name: nameInLibvirt(settings.scope, network),
  })

  async function makeNat(network: MachineNetwork): Promise<void> {
    const found = await read(network.name)
    if (found) {
      requireSame(found, network)
      await clear(found, network)
    } else await port.call('defineNetwork', natDocument(network))
    try {
      await port.call('startNetwork', network.name)
    } catch (error) {
      // A network that never started would block a corrected definition.
      if (!found) await port.call('removeNetwork', network.name).catch(() => {})
      throw addressesTaken(network, error) ?? error
    }
  }

  /** Requires a network of the administrator, which the driver must not start itself. */
  async function requireConfigured({ name }: MachineNetwork): Promise<void> {
    const found = await read(name)
    if (!found) throw new DriverError('unsupported', `This node has no network ${name}.`)
    if (!(await port.call('isNetworkActive', name)))
      throw new DriverError(
        'unsupported',
        `The network ${name} of this node is off: start it there.`,
      )
    if (bridgeOf(found) === '')
      throw new DriverError(
        'unsupported',
        `The network ${name} of this node has no bridge of the kernel, so nothing could keep its guests from false addresses.`,
      )
  }

  async function clear(found: Read, { name, bridge }: MachineNetwork): Promise<void> {
    const mac = child(found, 'mac')?.attributes.address
    if (bridge === null || !mac || (await port.call('isNetworkActive', name))) return
    await clearLeftNetwork(settings, { name, bridge, mac })
  }

  async function reserve(network: MachineNetwork, where: Where): Promise<void> {
    for (const host of await hostsOf(network, where)) {
      const { mac, ip } = host.attributes
      if (mac === network.mac && ip === network.address) return
      if (mac === network.mac || ip === network.address)
        await port.call('updateDhcpHost', network.name, where, 'delete', hostDocument(mac, ip))
    }
    const own = hostDocument(network.mac, network.address)
    await port.call('updateDhcpHost', network.name, where, 'add', own)
  }

  async function giveBack(network: MachineNetwork, where: Where): Promise<void> {
    const hosts = await hostsOf(network, where)
    const own = hosts.find(({ attributes }) => attributes.mac === network.mac)
    if (!own) return
    const { mac, ip } = own.attributes
    await port.call('updateDhcpHost', network.name, where, 'delete', hostDocument(mac, ip))
  }

  const hostsOf = async (network: MachineNetwork, where: Where) =>
    reservations(child((await read(network.name, where)) ?? undefined, 'ip', 'dhcp'))

  return {
    ensure(given) {
      const network = named(given)
      return locks.hold(`network ${network.name}`, async () => {
        await (network.mode === 'nat' ? makeNat(network) : requireConfigured(network))
        const made = await read(network.name)
        if (!made)
          throw new DriverError('start_failed', 'The network went away.', { retryable: true })
        // A network of the administrator without DHCP: the guest gets its address from its seed.
        if (!child(made, 'ip', 'dhcp') && network.mode === 'configured') return
        for (const where of BOTH) await reserve(network, where)
      })
    },

    release(given) {
      const network = named(given)
      return locks.hold(`network ${network.name}`, async () => {
        for (const where of BOTH) await giveBack(network, where)
        if (network.mode === 'nat') await removeIfEmpty(port, domains, run, network)
      })
    },
  }
}

/**
 * A network has a current state and a persistent one for its next start. A libvirt killed between
 * the two updates has a reservation in only one of them, so each is repaired separately.
 */
type Where = 'now' | 'next'
const BOTH = ['next', 'now'] as const

const reservations = (dhcp: Read | undefined) =>
  (dhcp?.children ?? []).filter(({ name }) => name === 'host')

function hostDocument(mac: string | undefined, ip: string | undefined): string {
  return write(element('host', { mac, ip }))
}

/**
 * In mode `open`, libvirt creates bridge and DHCP and leaves filtering to us. Unknown cards get no
 * address.
 */
function natDocument(network: MachineNetwork): string {
  if (network.bridge === null)
    throw new DriverError('invalid_spec', 'A network with NAT needs the name of a bridge.')
  return write(
    element(
      'network',
      {},
      element('name', {}, network.name),
      element('forward', { mode: 'open' }),
      element('bridge', { name: network.bridge, stp: 'off', delay: 0 }),
      element(
        'ip',
        { address: network.gateway, netmask: netmaskOf(network.prefixLength) },
        element('dhcp', {}, element('host', { mac: network.mac, ip: network.address })),
      ),
    ),
  )
}

/**
 * The kernel bridge that carries all packets of a network, where they can be filtered; empty when
 * there is none.
 */
export function bridgeOf(network: Read): string {
  const elsewhere = child(network, 'virtualport')?.attributes.type === 'openvswitch'
  return elsewhere ? '' : (child(network, 'bridge')?.attributes.name ?? '')
}

/** libvirt compares a network's addresses with those of every interface of the host. */
function addressesTaken(network: MachineNetwork, error: unknown): DriverError | null {
  const taken = /already in use by interface (\S+)/.exec(
    error instanceof Error ? error.message : '',
  )
  if (!taken) return null
  const block = blockOf(network.address, network.prefixLength)
  return new DriverError(
    'unsupported',
    `The addresses ${block} are in use on this node already, by its interface ${taken[1]}. Register a network with other addresses and put the machine there.`,
    { cause: error },
  )
}

function requireSame(found: Read, network: MachineNetwork): void {
  const bridge = child(found, 'bridge')?.attributes.name
  const ip = child(found, 'ip')?.attributes
  const same =
    bridge === network.bridge &&
    ip?.address === network.gateway &&
    cidrOf(ip) === `${network.gateway}/${network.prefixLength}`
  if (!same)
    throw new DriverError(
      'unsupported',
      `The network ${network.name} of this node is another one than this machine was made for.`,
    )
}
