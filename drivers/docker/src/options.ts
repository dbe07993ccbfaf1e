import { RESOLVER_FILES } from '@lodge/driver/network/resolvers.ts'

/** What one driver object is told about its machine. Paths are absolute. */
export interface DockerDriverOptions {
  /** Unix socket of the Docker engine. */
  readonly socketPath: string
  /** Everything the driver keeps on disk lies below this folder; created when missing. */
  readonly dataRoot: string
  /** Containers of another scope on the same engine are never seen or touched. Default `default`. */
  readonly labelScope?: string
  /** First letters of every bridge interface, at most 9. Default `lodge`. */
  readonly networkPrefix?: string
  /** IPv4 block that the servers' /28 networks are cut from. Default `10.213.0.0/16`. */
  readonly subnetPool?: string
  /** The server with number n runs as user and group `uidBase + n`. Default 200000. */
  readonly uidBase?: number
  /** The one folder that `archive` images may come from; without it there are none. */
  readonly archiveFolder?: string
  /** User and password for an exact registry host, such as `ghcr.io` or `registry.example:5000`. */
  readonly registryCredential?: (host: string) => Promise<RegistryCredential | undefined>
  /** Somebody starts the engine again when it ends. Seen by itself for Docker as a service of systemd. */
  readonly engineSupervised?: boolean
  /** How limits on disk use are kept: `auto` enforces them where the machine can. */
  readonly disk?: 'auto' | 'measured'
  /** So many networks and disks are made in advance, while nothing else is to be done. Default 0. */
  readonly warmPool?: number
  /** A pull without any progress for this long is given up. Default 60,000. */
  readonly pullStallMs?: number
  /** A call that the engine does not answer for this long is given up. Default 10,000. */
  readonly callDeadlineMs?: number
  /** Files of the form of resolv.conf that name this machine's name servers. */
  readonly resolverFiles?: readonly string[]
  /** Called with one line about something an administrator may want to know. */
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

/** Fills in the defaults. Throws when an option cannot be used. */
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
