import { type MachinePlaces, machinePlaces } from './data/places.ts'
import { type Domains, ourDomains } from './domain/domains.ts'
import { type Endings, watchedEndings } from './endings.ts'
import { type Acceleration, acceleration } from './host/kvm.ts'
import { type Locks, serverLocks } from './host/locks.ts'
import { machineOrphans, type Orphans } from './host/orphans.ts'
import { type MediaCache, mediaCache } from './media/cache.ts'
import { type Firewall, machineFirewall } from './network/firewall.ts'
import { libvirtNetworks, type Networks } from './network/networks.ts'
import { type LibvirtDriverOptions, type Settings, settingsOf } from './options.ts'
import { type Consoles, serialConsoles } from './output/console.ts'
import { type LibvirtPort, openPort } from './port/port.ts'

/** The components shared within one driver object. */
export interface Parts {
  readonly settings: Settings
  readonly places: MachinePlaces
  readonly port: LibvirtPort
  readonly domains: Domains
  readonly media: MediaCache
  readonly networks: Networks
  readonly firewall: Firewall
  readonly consoles: Consoles
  readonly locks: Locks
  readonly acceleration: Acceleration
  readonly endings: Endings
  readonly orphans: Orphans
  /** Whether the kernel supports CPU limits here; discovered by the first start that needs them. */
  readonly cpuLimits: { work: boolean }
}

/** Builds the components and begins connecting to libvirt. Throws when an option is invalid. */
export function buildParts(options: LibvirtDriverOptions): Parts {
  const settings = settingsOf(options)
  const port = openPort({ uri: settings.uri, log: settings.log })
  const domains = ourDomains(port, settings.scope)
  const locks = serverLocks()
  return {
    settings,
    places: machinePlaces(settings),
    port,
    domains,
    locks,
    media: mediaCache(settings),
    networks: libvirtNetworks(port, domains, locks, settings),
    firewall: machineFirewall(settings, domains, locks, port),
    consoles: serialConsoles(settings.dataRoot),
    acceleration: acceleration(settings, port),
    endings: watchedEndings(),
    orphans: machineOrphans(settings),
    cpuLimits: { work: true },
  }
}
