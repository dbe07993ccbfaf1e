import type { Domains } from '../domain/domains.ts'
import { isAbsent } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import { nameInLibvirt } from './names.ts'
import type { RunOnNode } from './run.ts'

/** A network of ours, by its name in libvirt. */
export interface LeftNetwork {
  readonly name: string
  readonly bridge: string | null
  /** Address of the network card that has left it. */
  readonly mac: string
}

/**
 * Removes a network of ours, its bridge and its forwarding rules, once no machine has a card in it.
 */
export async function removeIfEmpty(
  port: LibvirtPort,
  domains: Pick<Domains, 'list'>,
  run: RunOnNode,
  { name, bridge, mac }: LeftNetwork,
): Promise<void> {
  const isUsed = (await domains.list()).some(({ record: { scope, spec } }) => {
    const { network } = spec
    return nameInLibvirt(scope, network) === name && network.mac !== mac
  })
  if (isUsed) return
  try {
    await port.call('removeNetwork', name)
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
  if (bridge === null) return
  for (const chain of ['DOCKER-USER', 'FORWARD'])
    for (const way of ['-i', '-o'])
      await run('iptables', ['-w', '-D', chain, way, bridge, '-j', 'ACCEPT'])
}
