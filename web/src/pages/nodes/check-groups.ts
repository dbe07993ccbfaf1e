import type { Node, PreflightCheck } from '@lodge/shared/nodes.ts'
import type { VirtualizationCheck } from '@lodge/shared/virtualization.ts'
import { wordOf } from '../../ui/data/known.ts'
import { t } from './words.ts'

export type CheckId = PreflightCheck['id'] | VirtualizationCheck['id']

export interface Check {
  readonly id: CheckId
  readonly state: PreflightCheck['state']
  readonly summary: string
  readonly remedy: string | null
}

export interface CheckGroups {
  /** Servers cannot start, or not all of them. */
  readonly broken: readonly Check[]
  /** It works, but somebody should have a look. */
  readonly advice: readonly Check[]
  readonly fine: readonly Check[]
}

/** What only virtual machines need; it breaks nothing on a node that takes none. */
const ONLY_MACHINES: ReadonlySet<string> = new Set(['kvm', 'libvirt'])

/**
 * A node's checks by what they mean for it. The machines' own checks are the more exact ones; where a
 * node takes no virtual machines, what those would need is advice at most.
 */
export function groupsOf({ preflight, virtualization }: Node): CheckGroups {
  const own = virtualization.found?.checks ?? []
  const known = new Set<string>(own.map(({ id }) => id))
  const takesMachines = virtualization.enabled
  const machines = own.map((check): Check => softened(check, takesMachines))
  const others = preflight
    .filter(({ id }) => !known.has(id))
    .map((check) => softened(check, takesMachines || !ONLY_MACHINES.has(check.id)))
  const all = [...others, ...machines]
  return {
    broken: all.filter(({ state }) => state === 'failed'),
    advice: all.filter(({ state }) => state === 'warning'),
    fine: all.filter(({ state }) => state === 'ok'),
  }
}

const softened = (check: Check, matters: boolean): Check =>
  check.state === 'failed' && !matters ? { ...check, state: 'warning' } : check

type RegistryCheckId = Extract<CheckId, `registry:${string}`>
const isOfRegistry = (id: CheckId): id is RegistryCheckId => id.startsWith('registry:')

const NAMES: Readonly<Record<Exclude<CheckId, RegistryCheckId>, () => string>> = {
  docker: () => t.docker,
  libvirt: () => t.libvirt,
  cgroups: () => t.cgroups,
  ports: () => t.ports,
  clock: () => t.clock,
  disk: () => t.disk,
  kvm: () => t.kvm,
  images: () => t.images,
  files: () => t.fileService,
  backups: () => t.backups,
  qemu: () => t.qemu,
  firmware: () => t.firmware,
  tpm: () => t.tpm,
  network: () => t.network,
  forwarding: () => t.forwarding,
  storage: () => t.storage,
  'boot-guard': () => t.bootGuard,
}

/** The displayed name of a check. */
export const checkName = (id: CheckId): string =>
  isOfRegistry(id) ? t.registry({ host: id.slice('registry:'.length) }) : wordOf(NAMES, id)

/** Where the product that a check is about explains itself. */
const DOCUMENTS: Readonly<Partial<Record<string, string>>> = {
  docker: 'https://docs.docker.com/engine/install/',
  libvirt: 'https://libvirt.org/docs.html',
  cgroups: 'https://docs.kernel.org/admin-guide/cgroup-v2.html',
  clock: 'https://chrony-project.org/documentation.html',
  kvm: 'https://www.linux-kvm.org/page/FAQ',
  qemu: 'https://www.qemu.org/docs/master/',
}

/** The URL of documentation for a check; undefined where its remedy suffices. */
export const checkDocument = (id: CheckId): string | undefined => DOCUMENTS[id]
