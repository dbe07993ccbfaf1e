import { RESOLVER_FILES } from '@lodge/driver/network/resolvers.ts'
import { type SharedStorages, sharedStorages } from '@lodge/driver/storage/shared-storages.ts'

/** Configuration of one driver object. Paths are absolute. */
export interface DockerDriverOptions {
  /** Unix socket of the Docker engine. */
  readonly socketPath: string
  /** Root of everything the driver stores on disk; created when missing. */
  readonly dataRoot: string
  /** Containers of another scope on the same engine are ignored. Default `default`. */
  readonly labelScope?: string
  /** Prefix of every bridge interface, at most 9 characters. Default `lodge`. */
  readonly networkPrefix?: string
  /** IPv4 block that the servers' /28 networks are allocated from. Default `10.213.0.0/16`. */
  readonly subnetPool?: string
  /** The server with number n runs as user and group `uidBase + n`. Default 200000. */
  readonly uidBase?: number
  /** The only folder for `archive` images; without it, archives are refused. */
  readonly archiveFolder?: string
  /** User and password for an exact registry host, such as `ghcr.io` or `registry.example:5000`. */
  readonly registryCredential?: (host: string) => Promise<RegistryCredential | undefined>
  /** A supervisor restarts the engine when it ends. Detected for Docker as a systemd service. */
  readonly engineSupervised?: boolean
  /** How disk limits are applied: `auto` enforces them where the machine supports it. */
  readonly disk?: 'auto' | 'measured'
  /** File systems that other nodes have mounted, too. Default none. */
  readonly storages?: SharedStorages
  /** Number of networks and disks to prepare while idle. Default 0. */
  readonly warmPool?: number
  /** A pull without progress for this long is aborted. Default 60,000. */
  readonly pullStallMs?: number
  /** A call without an answer for this long fails. Default 10,000. */
  readonly callDeadlineMs?: number
  /** Files in resolv.conf format that list this machine's name servers. */
  readonly resolverFiles?: readonly string[]
  /** Receives single-line messages for the administrator. */
  readonly log?: (line: string) => void
}

export interface RegistryCredential {
  readonly username: string
  readonly password: string
}

export interface Settings extends Required<Omit<DockerDriverOptions, 'archiveFolder'>> {
  readonly archiveFolder: string | undefined
}

const RULES: readonly [string, (settings: Settings) => boolean][] = [
  ['socketPath must be absolute', (s) => s.socketPath.startsWith('/')],
  ['dataRoot must be absolute', (s) => s.dataRoot.startsWith('/')],
  ['labelScope must be a short word', (s) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(s.labelScope)],
  [
    'networkPrefix must be a word of at most 9 letters',
    (s) => /^[a-z][a-z0-9]{0,8}$/.test(s.networkPrefix),
  ],
  [
    'subnetPool must be an IPv4 block',
    (s) => /^\d{1,3}(\.\d{1,3}){3}\/([89]|1\d|2[0-6])$/.test(s.subnetPool),
  ],
  ['uidBase must be at least 1000', (s) => Number.isInteger(s.uidBase) && s.uidBase >= 1000],
]

/** Applies the defaults. Throws when an option is invalid. */
export function settingsOf(options: DockerDriverOptions): Settings {
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as DockerDriverOptions
  const settings = {
    labelScope: 'default',
    networkPrefix: 'lodge',
    subnetPool: '10.213.0.0/16',
    uidBase: 200_000,
    registryCredential: async () => undefined,
    engineSupervised: false,
    disk: 'auto',
    storages: sharedStorages(new Map()),
    warmPool: 0,
    pullStallMs: 60_000,
    callDeadlineMs: 10_000,
    resolverFiles: RESOLVER_FILES,
    log: () => {},
    archiveFolder: undefined,
    ...given,
  } satisfies Settings
  for (const [rule, holds] of RULES)
    if (!holds(settings)) throw new TypeError(`Docker driver: ${rule}`)
  return settings
}
