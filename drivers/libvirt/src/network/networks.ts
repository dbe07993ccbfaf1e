import { DriverError } from '@lodge/driver/driver.ts'
import type { MachineNetwork } from '@lodge/shared/machine-spec.ts'
import type { Locks } from '../locks.ts'
import { isAbsent } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import { element, write } from '../xml/element.ts'
import { child, type Read, readXml } from '../xml/read.ts'
import { cidrOf, netmaskOf } from './addresses.ts'

/** The networks that machines are on, and the addresses that they get there. */
export interface Networks {
  /** Makes a `nat` network, requires a `configured` one, and reserves the machine's address. */
  ensure(network: MachineNetwork): Promise<void>
  /** Forgets the machine's address; the network stays. */
  release(network: MachineNetwork): Promise<void>
}

export function libvirtNetworks(port: LibvirtPort, locks: Locks): Networks {
  async function read(name: string): Promise<Read | null> {
    try {
      return readXml(await port.call('networkXml', name))
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  async function make(network: MachineNetwork): Promise<Read> {
    const found = await read(network.name)
    if (network.mode === 'nat') {
      if (!found) await port.call('defineNetwork', natDocument(network))
      else requireSame(found, network)
    } else if (!found) {
      throw new DriverError('unsupported', `This node has no network ${network.name}.`)
    }
    await port.call('startNetwork', network.name)
    const made = await read(network.name)
    if (!made) throw new DriverError('start_failed', 'The network went away.', { retryable: true })
    return made
  }

  return {
    ensure: (network) =>
      locks.hold(`network ${network.name}`, async () => {
        const dhcp = child(await make(network), 'ip', 'dhcp')
        // A network of the administrator that gives no addresses: the guest is told its own by its seed.
        if (!dhcp && network.mode === 'configured') return
        for (const host of reservations(dhcp)) {
          const { mac, ip } = host.attributes
          if (mac === network.mac && ip === network.address) return
          if (mac === network.mac || ip === network.address)
            await port.call('updateDhcpHost', network.name, 'delete', hostDocument(mac, ip))
        }
        const own = hostDocument(network.mac, network.address)
        await port.call('updateDhcpHost', network.name, 'add', own)
      }),

    release: (network) =>
      locks.hold(`network ${network.name}`, async () => {
        const found = await read(network.name)
        const own = reservations(child(found ?? undefined, 'ip', 'dhcp')).find(
          ({ attributes }) => attributes.mac === network.mac,
        )
        if (!own) return
        const { mac, ip } = own.attributes
        await port.call('updateDhcpHost', network.name, 'delete', hostDocument(mac, ip))
      }),
  }
}

const reservations = (dhcp: Read | undefined) =>
  (dhcp?.children ?? []).filter(({ name }) => name === 'host')

function hostDocument(mac: string | undefined, ip: string | undefined): string {
  return write(element('host', { mac, ip }))
}

/** In this mode libvirt makes bridge and DHCP and leaves packets to us. Unknown cards get no address. */
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
