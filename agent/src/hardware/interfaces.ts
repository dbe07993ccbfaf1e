import { readdir, readFile } from 'node:fs/promises'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { HardwareReport } from '@lodge/shared/hardware.ts'

const MOST = 64
const MOST_ADDRESSES = 32

type Addresses = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * The network interfaces of the machine: its cards, and the bonds, VLANs and bridges of its operator
 * that have an address. What engines make for servers is left out.
 */
export async function readInterfaces(
  sys = '/sys',
  addresses: Addresses = networkInterfaces(),
): Promise<HardwareReport['interfaces']> {
  const folder = join(sys, 'class/net')
  const names = await readdir(folder).catch((): string[] => [])
  const found = await Promise.all(
    names.toSorted().map(async (name) => {
      const own = (addresses[name] ?? []).filter((one) => !isLocal(one))
      const isCard = await readdir(join(folder, name, 'device')).then(
        () => true,
        () => false,
      )
      if (!isCard && (own.length === 0 || ENGINES.test(name))) return undefined
      const read = async (file: string) => (await textOf(join(folder, name, file))).trim()
      const [mac, speed, state] = await Promise.all([
        read('address'),
        read('speed'),
        read('operstate'),
      ])
      return {
        name: name.slice(0, 64),
        mac: mac.slice(0, 32),
        speedMbit: Number(speed) > 0 ? Number(speed) : null,
        up: state === 'up' || (state === 'unknown' && own.length > 0),
        addresses: own.map(({ address }) => address.slice(0, 64)).slice(0, MOST_ADDRESSES),
      }
    }),
  )
  return found.filter((one) => one !== undefined).slice(0, MOST)
}

/** Interfaces that Docker, libvirt and Lodge's drivers make. */
const ENGINES = /^(lo$|docker|br-|veth|virbr|vnet|tap|lodge)/

const isLocal = ({ internal, address }: NetworkInterfaceInfo): boolean =>
  internal || /^fe80:/i.test(address)

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')
