import { readdir } from 'node:fs/promises'
import type { Remains } from '@lodge/driver/remains.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { Domain } from './domain/domains.ts'
import { removeLogs } from './host/node-logs.ts'
import { firewallTable } from './network/firewall.ts'
import { bridgeOf } from './network/networks.ts'
import type { LibvirtDriverOptions } from './options.ts'
import { buildParts, type Parts } from './parts.ts'
import { readXml } from './xml/read.ts'

/**
 * What the driver created on this machine besides its data, in the order of removal. `close`
 * disconnects from libvirt.
 */
export async function libvirtRemains(
  options: LibvirtDriverOptions,
): Promise<{ remains: Remains[]; close(): Promise<void> }> {
  const parts = buildParts(options)
  const { domains, port } = parts
  const close = async () => {
    parts.consoles.close()
    await port.close()
  }
  const tables = await rules(parts)
  try {
    const kept = new Set(await readdir(parts.settings.dataRoot).catch(() => []))
    // Machines whose disks are elsewhere belong to another installation.
    const ours = (await domains.list()).filter(({ record }) => kept.has(record.serverId))
    const networks = await networksOf(parts, ours)
    const remains = [
      ...ours.map((domain) => machine(parts, domain)),
      ...networks.map((name) => ({
        what: `libvirt network ${name}`,
        remove: () => port.call('removeNetwork', name),
      })),
      ...tables,
    ]
    return { remains, close }
  } catch {
    // A libvirt that does not answer runs nothing of ours; the rules are in the kernel.
    return { remains: tables, close }
  }
}

/** They exist as soon as the driver has run, even without a machine. */
async function rules({ firewall, settings }: Parts): Promise<Remains[]> {
  const table = firewallTable(settings.dataRoot)
  const list = ['nft', 'list', 'table', 'bridge', table]
  const inside = settings.networkNamespace
  const [file = '', ...args] =
    inside === undefined ? list : ['nsenter', `--net=${inside}`, '--', ...list]
  if ((await runProgram(file, args)).code !== 0) return []
  return [{ what: `firewall tables bridge and ip ${table}`, remove: () => firewall.clear() }]
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

/** The networks created for these machines, by their names in libvirt. */
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
