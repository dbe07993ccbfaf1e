import { readdir } from 'node:fs/promises'
import type { Remains } from '@lodge/driver/remains.ts'
import type { Domain } from './domain/domains.ts'
import { bridgeOf } from './network/networks.ts'
import { removeLogs } from './node-logs.ts'
import type { LibvirtDriverOptions } from './options.ts'
import { buildParts, type Parts } from './parts.ts'
import { readXml } from './xml/read.ts'

/**
 * What the driver made on this machine beside its data, in the order in which it has to go. `close` lets go
 * of libvirt.
 */
export async function libvirtRemains(
  options: LibvirtDriverOptions,
): Promise<{ remains: Remains[]; close(): Promise<void> }> {
  const parts = buildParts(options)
  const { domains, firewall, port } = parts
  const close = async () => {
    parts.consoles.close()
    await port.close()
  }
  try {
    const kept = new Set(await readdir(parts.settings.dataRoot).catch(() => []))
    // Machines whose disks lie elsewhere belong to another installation.
    const ours = (await domains.list()).filter(({ record }) => kept.has(record.serverId))
    const networks = await networksOf(parts, ours)
    const remains = [
      ...ours.map((domain) => machine(parts, domain)),
      ...networks.map((name) => ({
        what: `libvirt network ${name}`,
        remove: () => port.call('removeNetwork', name),
      })),
      ...(ours.length > 0
        ? [{ what: 'firewall tables of virtual machines', remove: () => firewall.clear() }]
        : []),
    ]
    return { remains, close }
  } catch (error) {
    await close()
    throw error
  }
}

function machine({ port, orphans, settings }: Parts, { uuid, record, active }: Domain): Remains {
  return {
    what: `virtual machine ${record.serverId}`,
    async remove() {
      if (active) await port.call('destroyDomain', uuid)
      await port.call('forgetDomain', uuid)
      await orphans.end(uuid)
      await removeLogs(settings, record.serverId)
    },
  }
}

/** The networks that were made for these machines, as libvirt calls them. */
async function networksOf({ port }: Parts, machines: readonly Domain[]): Promise<string[]> {
  const bridges = new Set(
    machines.flatMap(({ record: { spec } }) =>
      spec.network.mode === 'nat' ? [spec.network.bridge] : [],
    ),
  )
  const found: string[] = []
  for (const { name } of await port.call('listNetworks'))
    if (bridges.has(bridgeOf(readXml(await port.call('networkXml', name, 'next')))))
      found.push(name)
  return found
}
