import type { HardwareProfile } from '@lodge/shared/machine-profile.ts'
import { whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import { formatMib } from '@lodge/shared/units.ts'
import type { NodeRow } from '../nodes/index.ts'
import { subnetOf } from './networks/ipv4.ts'
import { subnetOfRow } from './networks/networks.ts'
import type { MediumRow, NetworkRow } from './tables.ts'

/** The capability of agents that run virtual machines. */
export const MACHINE_CAPABILITY = 'machine'

/**
 * Why this node cannot run a machine of this hardware, for an administrator; undefined if it can.
 * Does not check quota, connection or the driver's current health.
 */
export function whyNotOnNode(node: NodeRow, hardware: HardwareProfile): string | undefined {
  const { virtualization: found } = node
  if (!node.vmEnabled) return `${node.name} takes no virtual machines`
  if (!node.capabilities.includes(MACHINE_CAPABILITY) || !found)
    return `the agent of ${node.name} runs no virtual machines`
  if (!found.kvm && !(node.vmEmulation && found.emulation))
    return `${node.name} has no KVM, and emulation is not allowed there: ${found.kvmWhy}`
  if (hardware.tpm && !found.tpm) return `${node.name} has no swtpm for a TPM`
  const { firmware, cpuModel } = hardware
  for (const file of firmware.kind === 'uefi' ? [firmware.loader, firmware.vars] : []) {
    const there = found.firmware.find(({ path }) => path === file.path)
    if (!there) return `${node.name} lacks the firmware ${file.path}`
    if (file.sha256 !== null && there.sha256 !== file.sha256)
      return `${node.name} has another version of the firmware ${file.path}`
  }
  const isNamed = cpuModel !== 'host' && cpuModel !== 'max'
  if (isNamed && found.cpuModels.length > 0 && !found.cpuModels.includes(cpuModel))
    return `${node.name} does not know the processor ${cpuModel}`
  return undefined
}

/** The capability of agents that fetch media from the control plane. */
const KEPT_MEDIA_CAPABILITY = 'machine.kept-media'

/** Why a machine on this node cannot use these media; undefined if it can. */
export function whyNotWithMedia(
  node: NodeRow,
  media: readonly (MediumRow | null)[],
): string | undefined {
  const fetches = media.some((row) => row !== null)
  const cannot = fetches ? whyNodeCannot(node, 'machine', 'media') : undefined
  if (cannot) return cannot
  if (media.some((row) => row?.kept) && !node.capabilities.includes(KEPT_MEDIA_CAPABILITY))
    return `the agent of ${node.name} is too old for media that the control plane keeps: update it`
  const largest = Math.max(0, ...media.map((row) => row?.virtualSizeMb ?? 0))
  if (largest > node.diskMb)
    return `the image describes a disk of ${formatMib(largest)} and ${node.name} has ${formatMib(node.diskMb)}`
  return undefined
}

/** Why a machine on this node cannot use this network; undefined if it can. */
export function whyNotInNetwork(node: NodeRow, network: NetworkRow): string | undefined {
  if (network.nodeIds.length > 0 && !network.nodeIds.includes(node.id))
    return `${network.name} is not a network of ${node.name}`
  if (network.mode === 'nat') return undefined
  const there = node.virtualization?.networks.find(({ name }) => name === network.libvirtName)
  if (!there) return `libvirt on ${node.name} has no network ${network.libvirtName}`
  if (!there.active) return `the network ${network.libvirtName} of ${node.name} is switched off`
  if (there.bridge === '')
    return `the network ${network.libvirtName} of ${node.name} has no bridge, so nothing could keep guests from false addresses`
  if (there.cidr === '') return undefined
  const { from, prefixLength } = subnetOf(there.cidr)
  const own = subnetOfRow(network)
  if (from !== own.from || prefixLength !== own.prefixLength)
    return `the network ${network.libvirtName} of ${node.name} has other addresses: ${there.cidr}`
  return undefined
}
