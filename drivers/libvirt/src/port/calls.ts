import { backupCalls } from './backup-calls.ts'
import * as vir from './bindings.ts'
import {
  type Connection,
  checked,
  present,
  uuidOf,
  withDomain,
  withFilter,
  withNetwork,
} from './connection.ts'
import { readPointers, readStats, type StatsValue, writeParameters } from './memory.ts'
import { readScreen } from './screen.ts'

/** `virDomainState` and its reason, with the values of `libvirt-domain.h`. */
export interface StateNumbers {
  readonly state: number
  readonly reason: number
}

export interface DomainListed extends StateNumbers {
  readonly uuid: string
  readonly name: string
  /** The definition that the next start will use. */
  readonly xml: string
}

export interface DomainStats {
  readonly uuid: string
  readonly name: string
  readonly values: Readonly<Record<string, StatsValue>>
}

const INACTIVE_XML = 2
const METADATA_ELEMENT = 2
const LIVE = 1
const CONFIG = 2
/**
 * Deletes managed save, snapshot metadata and checkpoints; keeps firmware variables and TPM state.
 */
const UNDEFINE_BUT_KEEP = 1 | 2 | 8 | 16 | 64
/** Deletes managed save, snapshot metadata, firmware variables, checkpoints and TPM state. */
const UNDEFINE_EVERYTHING = 1 | 2 | 4 | 16 | 32
const START_PAUSED = 1
const STATS_NOWAIT = 2 ** 29
const LIST_PERSISTENT = 4
const SHUTDOWN_FLAGS = { acpi: 1, agent: 2 } as const

/**
 * Every operation on libvirt, by name. Each call has exclusive use of its connection. Arguments and
 * results are plain data because they cross a process boundary.
 */
export const calls = {
  ...backupCalls,

  async versions({ at }: Connection) {
    const [library, hypervisor]: [[number | bigint], [number | bigint]] = [[0], [0]]
    await checked({ at }, vir.libraryVersion(at, library))
    await checked({ at }, vir.hypervisorVersion(at, hypervisor))
    return { libvirt: dotted(library[0]), hypervisor: dotted(hypervisor[0]) }
  },

  /** What this host supports for a domain type (`kvm`, `qemu`), as XML. */
  domainCapabilities: (own: Connection, type: 'kvm' | 'qemu', machine: string) =>
    present(own, vir.domainCapabilities(own.at, null, 'x86_64', machine, type, 0)),

  async listDomains(own: Connection): Promise<readonly DomainListed[]> {
    const found: DomainListed[] = []
    for (const domain of await domainPointers(own)) {
      try {
        const numbers = await stateOf(own, domain)
        const xml = await present(own, vir.domainXml(domain, INACTIVE_XML))
        found.push({ uuid: uuidOf(domain), name: vir.domainName(domain), xml, ...numbers })
      } catch {
        // It was removed after the listing.
      } finally {
        vir.freeDomain(domain)
      }
    }
    return found
  },

  domain: (own: Connection, uuid: string): Promise<DomainListed> =>
    withDomain(own, uuid, async (domain) => ({
      uuid,
      name: vir.domainName(domain),
      xml: await present(own, vir.domainXml(domain, INACTIVE_XML)),
      ...(await stateOf(own, domain)),
    })),

  domainState: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => stateOf(own, domain)),

  /** The XML of the running domain, or of the definition when it is stopped. */
  liveXml: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => present(own, vir.domainXml(domain, 0))),

  /** Defines a domain, or replaces the definition with the same UUID. Returns its UUID. */
  async defineDomain(own: Connection, xml: string): Promise<string> {
    const domain = await present(own, vir.defineDomain(own.at, xml, 0))
    try {
      return uuidOf(domain)
    } finally {
      vir.freeDomain(domain)
    }
  },

  /** Starts a domain that libvirt forgets as soon as it ends. */
  async createTransient(own: Connection, xml: string): Promise<string> {
    const domain = await present(own, vir.createTransient(own.at, xml, 0))
    try {
      return uuidOf(domain)
    } finally {
      vir.freeDomain(domain)
    }
  },

  /** Replaces our metadata element in the definition and in the running domain. */
  setMetadata: (own: Connection, uuid: string, element: string, prefix: string, uri: string) =>
    withDomain(own, uuid, async (domain) => {
      const flags = await everywhere(own, domain)
      const set = vir.setMetadata(domain, METADATA_ELEMENT, element, prefix, uri, flags)
      await checked(own, set)
    }),

  /** Starts QEMU with its guest paused. */
  startPaused: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.startDomain(domain, START_PAUSED))),

  startDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.startDomain(domain, 0))),

  shutDownDomain: (own: Connection, uuid: string, how: keyof typeof SHUTDOWN_FLAGS) =>
    withDomain(own, uuid, (domain) =>
      checked(own, vir.shutDownDomain(domain, SHUTDOWN_FLAGS[how])),
    ),

  destroyDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.destroyDomain(domain, 0))),

  resetDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.resetDomain(domain, 0))),

  suspendDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.suspendDomain(domain))),

  resumeDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.resumeDomain(domain))),

  /** Undefines a stopped domain; what a later definition needs is kept on disk. */
  forgetDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => checked(own, vir.undefineDomain(domain, UNDEFINE_BUT_KEEP))),

  /** Undefines a stopped domain and deletes its firmware variables and TPM state. */
  undefineDomain: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) =>
      checked(own, vir.undefineDomain(domain, UNDEFINE_EVERYTHING)),
    ),

  hasManagedSave: (own: Connection, uuid: string) =>
    withDomain(own, uuid, async (domain) => {
      return (await checked(own, vir.hasManagedSave(domain, 0))) === 1
    }),

  /** Has the balloon report the guest's memory use, at this interval. */
  setMemoryStatsPeriod: (own: Connection, uuid: string, seconds: number) =>
    withDomain(own, uuid, (domain) =>
      checked(own, vir.setMemoryStatsPeriod(domain, seconds, LIVE)),
    ),

  /** Changes the medium in a drive of a running or stopped domain. */
  changeMedia: (own: Connection, uuid: string, diskXml: string) =>
    withDomain(own, uuid, async (domain) => {
      const flags = await everywhere(own, domain)
      await checked(own, vir.changeMedia(domain, diskXml, flags))
    }),

  /** Sets the I/O limits of one disk of a running or stopped domain; 0 is unlimited. */
  limitDisk: (
    own: Connection,
    uuid: string,
    target: string,
    limits: Readonly<Record<string, number>>,
  ) =>
    withDomain(own, uuid, async (domain) => {
      const bytes = writeParameters(limits, 'unsigned')
      const count = Object.keys(limits).length
      const flags = await everywhere(own, domain)
      await checked(own, vir.setBlockIoTune(domain, target, bytes, count, flags))
    }),

  /** Sets the CPU quota; -1 is unlimited. */
  limitCpu: (own: Connection, uuid: string, limits: Readonly<Record<string, number>>) =>
    withDomain(own, uuid, async (domain) => {
      const bytes = writeParameters(limits, 'signed')
      const count = Object.keys(limits).length
      const flags = await everywhere(own, domain)
      await checked(own, vir.setSchedulerParameters(domain, bytes, count, flags))
    }),

  /** Statistics of every domain; for a busy one only those that need no waiting. */
  async allStats(own: Connection): Promise<readonly DomainStats[]> {
    const out: [bigint | null] = [null]
    const count = await checked(own, vir.allDomainStats(own.at, 0, out, STATS_NOWAIT))
    const records = out[0]
    if (records === null) return []
    try {
      return readPointers(records, count).map((at) => {
        const { dom, values } = readStats(at)
        return { uuid: uuidOf(dom), name: vir.domainName(dom), values }
      })
    } finally {
      vir.freeStats(records)
    }
  },

  /** A screenshot of the first screen: media type and bytes. */
  screenshot: (own: Connection, uuid: string) =>
    withDomain(own, uuid, (domain) => readScreen(own, domain)),

  async listNetworks(own: Connection): Promise<readonly { name: string; active: boolean }[]> {
    const out: [bigint | null] = [null]
    const count = await checked(own, vir.listNetworks(own.at, out, 0))
    const list = out[0]
    if (list === null) return []
    const found = []
    try {
      for (const network of readPointers(list, count)) {
        const active = (await checked(own, vir.isNetworkActive(network))) === 1
        found.push({ name: vir.networkLabel(network), active })
        vir.freeNetwork(network)
      }
    } finally {
      vir.freeMemory(list)
    }
    return found
  },
  defineNetwork: async (own: Connection, xml: string) => {
    const network = await present(own, vir.defineNetwork(own.at, xml))
    vir.freeNetwork(network)
  },
  /** The current definition, or the one for the next start. */
  networkXml: (own: Connection, name: string, where: 'now' | 'next') =>
    withNetwork(own, name, (network) =>
      present(own, vir.networkXml(network, where === 'now' ? 0 : 1)),
    ),
  /** Starts an inactive network, and enables its autostart. */
  startNetwork: (own: Connection, name: string) =>
    withNetwork(own, name, async (network) => {
      await checked(own, vir.setNetworkAutostart(network, 1))
      if ((await checked(own, vir.isNetworkActive(network))) === 0)
        await checked(own, vir.startNetwork(network))
    }),
  isNetworkActive: (own: Connection, name: string) =>
    withNetwork(own, name, async (network) => {
      return (await checked(own, vir.isNetworkActive(network))) === 1
    }),
  /** Stops and undefines a network. */
  removeNetwork: (own: Connection, name: string) =>
    withNetwork(own, name, async (network) => {
      if ((await checked(own, vir.isNetworkActive(network))) === 1)
        await checked(own, vir.destroyNetwork(network))
      await checked(own, vir.undefineNetwork(network))
    }),
  /** Adds or removes a static DHCP lease in the current or the persistent state. */
  updateDhcpHost: (
    own: Connection,
    name: string,
    where: 'now' | 'next',
    action: 'add' | 'delete',
    hostXml: string,
  ) =>
    withNetwork(own, name, async (network) => {
      const command = action === 'add' ? 3 : 2
      if (where === 'now' && (await checked(own, vir.isNetworkActive(network))) !== 1) return
      const flags = where === 'now' ? LIVE : CONFIG
      await checked(own, vir.updateNetwork(network, command, 4, -1, hostXml, flags))
    }),

  /** Defines a secret, or the same again, with this value in base 64. */
  async setSecret(own: Connection, xml: string, value: string): Promise<void> {
    const secret = await present(own, vir.defineSecret(own.at, xml, 0))
    try {
      const bytes = Buffer.from(value, 'base64')
      await checked(own, vir.setSecretValue(secret, bytes, bytes.length, 0))
    } finally {
      vir.freeSecret(secret)
    }
  },

  defineFilter: async (own: Connection, xml: string) => {
    const filter = await present(own, vir.defineFilter(own.at, xml))
    vir.freeFilter(filter)
  },
  filterXml: (own: Connection, name: string) =>
    withFilter(own, name, (filter) => present(own, vir.filterXml(filter, 0))),
  removeFilter: (own: Connection, name: string) =>
    withFilter(own, name, (filter) => checked(own, vir.undefineFilter(filter))),
} as const

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallArguments<K extends CallName> =
  Parameters<Calls[K]> extends [Connection, ...infer Rest] ? Rest : never
export type CallResult<K extends CallName> = Awaited<ReturnType<Calls[K]>>

/** The definition, plus the running domain if there is one. */
async function everywhere(own: Connection, domain: vir.Pointer): Promise<number> {
  return isActive((await stateOf(own, domain)).state) ? LIVE | CONFIG : CONFIG
}

/** Running, blocked, paused, shutting down, crashed or suspended by the guest. */
function isActive(state: number): boolean {
  return state !== 5 && state !== 0
}

async function stateOf(own: Connection, domain: vir.Pointer): Promise<StateNumbers> {
  const [state, reason]: [[number], [number]] = [[0], [0]]
  await checked(own, vir.domainState(domain, state, reason, 0))
  return { state: state[0], reason: reason[0] }
}

async function domainPointers(own: Connection): Promise<readonly vir.Pointer[]> {
  const out: [bigint | null] = [null]
  const count = await checked(own, vir.listDomains(own.at, out, LIST_PERSISTENT))
  const list = out[0]
  if (list === null) return []
  try {
    return readPointers(list, count)
  } finally {
    vir.freeMemory(list)
  }
}

/** 9000000 becomes 9.0.0. */
function dotted(version: number | bigint): string {
  const number = Number(version)
  return [Math.floor(number / 1e6), Math.floor(number / 1000) % 1000, number % 1000].join('.')
}
