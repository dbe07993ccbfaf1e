import { readdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { whyNoKvm } from '@lodge/driver/kvm.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { VirtualizationCheck, VirtualizationReport } from '@lodge/shared/virtualization.ts'
import { firmwareFingerprint } from './disks/firmware.ts'
import type { KvmVerdict } from './host/kvm.ts'
import { closedFolder } from './host/passage.ts'
import { cidrOf } from './network/addresses.ts'
import { bridgeOf } from './network/networks.ts'
import type { Parts } from './parts.ts'
import { LibvirtUnavailable } from './port/fault.ts'
import { child, readXml } from './xml/read.ts'

/** Folders where distributions install firmware for QEMU. */
const FIRMWARE_FOLDERS = ['/usr/share/OVMF', '/usr/share/edk2/ovmf', '/usr/share/qemu']
/**
 * Threshold for capabilities that libvirt does not cache; with /dev/kvm closed to QEMU's user, a
 * call has been seen to take minutes.
 */
const SLOW_MS = 2000
const LEAST_FREE_BYTES = 2 * 1024 ** 3
const BRIDGE_FILTER = '/proc/sys/net/bridge/bridge-nf-call-iptables'

/**
 * Checks what this node offers machines, with a remedy for everything that is missing. Never
 * throws.
 */
export async function virtualizationReport(
  parts: Parts,
  signal: AbortSignal,
  anew = false,
): Promise<VirtualizationReport> {
  const checks: VirtualizationCheck[] = []
  const check = (
    id: VirtualizationCheck['id'],
    why: string | null,
    remedy: string,
    state: 'failed' | 'warning' = 'failed',
    fine = 'Works',
  ) =>
    checks.push({
      id,
      state: why === null ? 'ok' : state,
      summary: (why ?? fine).slice(0, 1000),
      remedy: why === null ? null : remedy,
    })

  const versions = await parts.port.call('versions').catch((error: unknown) => error)
  const reached = versions instanceof Error ? null : (versions as Versions)
  const unreachable = versions instanceof Error ? versions.message : null
  const known = versions instanceof LibvirtUnavailable ? versions.remedy : null
  check(
    'libvirt',
    unreachable,
    known ?? 'Install libvirt-daemon-system and start libvirtd.',
    'failed',
    `libvirt ${reached?.libvirt ?? ''} answers`,
  )
  const capabilities = reached ? await capabilitiesOf(parts) : null
  if (capabilities && capabilities.tookMs > SLOW_MS)
    check(
      'qemu',
      'libvirt looks at QEMU anew at every call, which makes each take seconds.',
      'Let the user of QEMU open /dev/kvm (group kvm, mode 0660), or take the device away.',
      'warning',
    )
  else
    check(
      'qemu',
      capabilities ? null : 'libvirt knows no QEMU for x86_64 with the machine q35.',
      'Install qemu-system-x86 and qemu-utils, then restart libvirtd.',
      'failed',
      `QEMU ${reached?.hypervisor ?? ''}`,
    )
  const kvm = await kvmOf(parts, reached !== null, signal, anew)
  check(
    'kvm',
    kvm.works ? null : kvm.why,
    `${kvm.remedy} Or allow emulation, which is many times slower.`.trim(),
    'warning',
    'A kernel booted with KVM',
  )
  const firmware = await firmwareFiles()
  check(
    'firmware',
    firmware.length > 0 ? null : 'There is no UEFI firmware.',
    'Install ovmf.',
    'warning',
  )
  const tpm = (await runProgram('swtpm', ['--version'])).code === 0
  check('tpm', tpm ? null : 'There is no swtpm.', 'Install swtpm and swtpm-tools.', 'warning')
  const networks = reached ? await networksOf(parts).catch(() => []) : []
  check(
    'network',
    (await runProgram('dnsmasq', ['--version'])).code === 0 ? null : 'There is no dnsmasq.',
    'Install dnsmasq-base.',
  )
  const forwarding = await forwardingComplaint(parts)
  check('forwarding', forwarding?.why ?? null, forwarding?.remedy ?? '', 'warning')
  const closed = await closedComplaint(parts)
  if (closed) check('storage', closed.why, closed.remedy)
  else
    check('storage', await storageComplaint(parts), 'Make room on the disk of the node.', 'warning')
  check(
    'boot-guard',
    parts.settings.guard
      ? await parts.settings.guard.missing()
      : 'A machine that is started by hand is not held back.',
    'Let the agent install its hook for libvirt, and restart libvirtd.',
    'warning',
  )

  const failed = checks.find(({ state }) => state === 'failed')
  return {
    available: failed === undefined,
    why: failed?.summary ?? '',
    kvm: kvm.works,
    kvmWhy: kvm.why.slice(0, 1000),
    emulation: capabilities !== null,
    libvirtVersion: reached?.libvirt ?? '',
    qemuVersion: reached?.hypervisor ?? '',
    tpm,
    firmware: firmware.slice(0, 64),
    networks: networks.slice(0, 64),
    cpuModels: capabilities?.cpuModels.slice(0, 512) ?? [],
    media: (await parts.media.list()).slice(0, 1000),
    checks,
  }
}

async function kvmOf(
  { acceleration }: Parts,
  isReached: boolean,
  signal: AbortSignal,
  anew: boolean,
): Promise<KvmVerdict> {
  if (isReached)
    return await acceleration.kvm(signal, anew).catch((error: unknown) => ({
      works: false,
      why: String(error instanceof Error ? error.message : error),
      remedy: '',
    }))
  const { why, remedy } = (await whyNoKvm()) ?? {
    why: 'KVM is tried as soon as libvirt answers.',
    remedy: '',
  }
  return { works: false, why, remedy }
}

type Versions = { readonly libvirt: string; readonly hypervisor: string }

interface Capabilities {
  readonly cpuModels: readonly string[]
  /** How long libvirt took when it should have had the answer cached. */
  readonly tookMs: number
}

async function capabilitiesOf({ port }: Parts): Promise<Capabilities | null> {
  const ask = () => port.call('domainCapabilities', 'qemu', 'q35').catch(() => null)
  const text = await ask()
  if (text === null) return null
  const began = Date.now()
  await ask()
  const tookMs = Date.now() - began
  const custom = child(readXml(text), 'cpu')?.children.find(
    ({ attributes }) => attributes.name === 'custom',
  )
  const models = custom?.children.filter(
    ({ name, attributes }) => name === 'model' && attributes.usable === 'yes',
  )
  return { cpuModels: models?.map((model) => model.text) ?? [], tookMs }
}

async function firmwareFiles(): Promise<VirtualizationReport['firmware']> {
  const found: { path: string; sha256: string }[] = []
  for (const folder of FIRMWARE_FOLDERS) {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      if (!name.endsWith('.fd')) continue
      const sha256 = await firmwareFingerprint(join(folder, name)).catch(() => null)
      if (sha256) found.push({ path: join(folder, name), sha256 })
    }
  }
  return found
}

async function networksOf({ port }: Parts): Promise<VirtualizationReport['networks']> {
  const names = await port.call('listNetworks')
  return Promise.all(
    names.map(async ({ name, active }) => {
      const xml = readXml(await port.call('networkXml', name, 'now'))
      return {
        name,
        active,
        bridge: bridgeOf(xml),
        cidr: cidrOf(child(xml, 'ip')?.attributes),
      }
    }),
  )
}

interface Complaint {
  readonly why: string
  readonly remedy: string
}

async function forwardingComplaint({ firewall }: Parts): Promise<Complaint | null> {
  if ((await runProgram('nft', ['--version'])).code !== 0)
    return { why: 'There is no nft.', remedy: 'Install nftables.' }
  const why = await firewall.complaint()
  if (why !== null)
    return {
      why,
      remedy: 'Run the agent as root, on a kernel with nftables (modprobe nf_tables).',
    }
  const filtered = await readFile(BRIDGE_FILTER, 'utf8').catch(() => '0')
  if (filtered.trim() !== '1') return null
  return {
    why: 'Packets between machines pass through iptables: a machine cannot reach a port of the node that leads to another machine.',
    remedy:
      'Set net.bridge.bridge-nf-call-iptables = 0, unless a program of this node needs it (sysctl).',
  }
}

/** QEMU runs as its own user and opens disks and media by path. */
async function closedComplaint({ settings }: Parts): Promise<Complaint | null> {
  const shared = (await settings.storages.report()).flatMap(({ id, path }) =>
    id === null ? [] : [join(path, 'lodge/servers')],
  )
  for (const folder of [settings.dataRoot, settings.mediaFolder, ...shared]) {
    const closed = await closedFolder(folder).catch(() => null)
    if (closed !== null)
      return {
        why: `The user of QEMU may not enter ${closed}, so no virtual machine can open its disk.`,
        remedy: `Let others pass through the folder: chmod o+x ${closed}`,
      }
  }
  return null
}

async function storageComplaint({ settings }: Parts): Promise<string | null> {
  try {
    const { bavail, bsize } = await statfs(settings.dataRoot)
    return bavail * bsize < LEAST_FREE_BYTES ? 'There is little room for disks.' : null
  } catch {
    return null
  }
}
