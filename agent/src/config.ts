import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { RbdPool } from '@lodge/driver/storage/rbd.ts'
import { MOST_STORAGES } from '@lodge/shared/shared-storage.ts'
import { z } from 'zod'

/** A name and an absolute path. */
const PLACE = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(\/[^,]{1,254})$/
/** A name, and a pool with the user of Ceph who may use it, and the configuration of its cluster. */
const POOL =
  /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=([\w-]{1,64})@([\w.-]{1,64})(?::(\/[^,:]{1,254}))?$/
const CEPH_CONFIG = '/etc/ceph/ceph.conf'

/**
 * The agent's settings. Each field is a flag (`--docker-socket`) and a variable
 * (`LODGE_AGENT_DOCKER_SOCKET`); the egress settings share their variables with the control plane
 * (`LODGE_EGRESS_HOSTS`).
 */
const Config = z.object({
  /** Folder of the credentials, the journal and the servers' data. */
  data: z.string().min(1),
  /** `host:port` of a control plane that has moved since enrollment; empty if it has not. */
  fleetAddress: z
    .string()
    .regex(/^(.+:\d{1,5})?$/, 'must be host:port')
    .default(''),
  driver: z.enum(['docker', 'fake']).default('docker'),
  dockerSocket: z.string().min(1).default('/var/run/docker.sock'),
  /** Distinguishes this agent's containers and machines; empty to generate one (`ownScope`). */
  labelScope: z
    .string()
    .regex(/^([a-z0-9][a-z0-9-]{0,31})?$/, 'must be a short word of small letters and digits')
    .default(''),
  /** Prefix of the servers' bridge names and of the firewall table's name. */
  networkPrefix: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,8}$/, 'must be at most 9 small letters and digits')
    .default('lodge'),
  /** The address block that server networks are allocated from. */
  subnetPool: z
    .string()
    .regex(
      /^\d{1,3}(\.\d{1,3}){3}\/([89]|1\d|2[0-6])$/,
      'must be an IPv4 block such as 10.213.0.0/16',
    )
    .default('10.213.0.0/16'),
  /**
   * Comma-separated `name=/path` pairs: file systems that other nodes have mounted, too, for servers
   * that come back on those without losing anything.
   */
  sharedStorages: z
    .string()
    .default('')
    .transform((text, context) => {
      const pairs = text
        .split(',')
        .filter(Boolean)
        .map((pair) => PLACE.exec(pair.trim()))
      const places = new Map(pairs.map((found) => [found?.[1] ?? '', found?.[2] ?? '']))
      if (pairs.includes(null) || places.size < pairs.length || places.size > MOST_STORAGES)
        context.addIssue({
          code: 'custom',
          message: `must be at most ${MOST_STORAGES} pairs such as fast=/mnt/fast, each name once`,
        })
      return places as ReadonlyMap<string, string>
    }),
  /**
   * Comma-separated `name=user@pool` pairs, each with `:/path` of a configuration of Ceph where it is not
   * the usual one: shared storages whose virtual machines have their disks in an RBD pool.
   */
  rbdPools: z
    .string()
    .default('')
    .transform((text, context) => {
      const pairs = text
        .split(',')
        .filter(Boolean)
        .map((pair) => POOL.exec(pair.trim()))
      const pools = new Map(
        pairs.map((found) => {
          const [, name = '', user = '', pool = '', configFile = CEPH_CONFIG] = found ?? []
          return [name, { pool, user, configFile }]
        }),
      )
      if (pairs.includes(null) || pools.size < pairs.length)
        context.addIssue({
          code: 'custom',
          message: 'must be pairs such as fast=lodge@vms, each name once',
        })
      return pools as ReadonlyMap<string, RbdPool>
    }),
  /** A supervisor restarts the engine, so the agent may terminate it to recover from a fault. */
  engineSupervised: z.stringbool().default(false),
  /** A file of registry passwords in the format of `docker login`; empty for none. */
  registryConfig: z.string().default(''),
  /** Virtual machines: `auto` enables them where libvirt is installed, even after the agent. */
  machines: z.enum(['auto', 'libvirt', 'none']).default('auto'),
  libvirtUri: z.string().min(1).default('qemu:///system'),
  /** Where libvirt keeps TPM state. */
  libvirtTpmFolder: z.string().startsWith('/').default('/var/lib/libvirt/swtpm'),
  /** Where libvirt looks for hooks. */
  libvirtHooksFolder: z.string().startsWith('/').default('/etc/libvirt/hooks'),
  /** Path of libvirt's network namespace when it differs from the agent's. */
  libvirtNetworkNamespace: z.string().default(''),
  /** Like engineSupervised, for the libvirt daemon. */
  libvirtSupervised: z.stringbool().default(false),
  /**
   * Comma-separated host:port pairs of the operator's own network that media may be downloaded
   * from.
   */
  egressHosts: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** A PEM file of authorities trusted there in addition to the public ones; empty for none. */
  egressCa: z.string().default(''),
  /** Holds short-lived boot permits; must be on a file system that does not survive a reboot. */
  permitFolder: z.string().startsWith('/').default('/run/lodge/boot'),
  /** Where the guard of leases keeps what it needs; like `permitFolder`, gone after a reboot. */
  guardFolder: z.string().startsWith('/').default('/run/lodge/guard'),
  /** `host:port` of the Prometheus page; empty for none. */
  metricsAddress: z
    .string()
    .regex(/^(.+:\d{1,5})?$/, 'must be host:port')
    .default(''),
  /** Whether that page also has one set of series per server. */
  metricsServers: z.stringbool().default(true),
  /** Start desired servers after a reboot when the control plane cannot be asked. */
  offlineStart: z.stringbool().default(false),
  /** The port range that the preflight checks probe, `from-to`. */
  portRange: z
    .string()
    .regex(/^\d{2,5}-\d{2,5}$/)
    .default('25565-25664'),
  logLevel: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})
export type Config = z.infer<typeof Config>

const COMMANDS = ['run', 'join', 'remains', 'uninstall'] as const
type Command = (typeof COMMANDS)[number]

export interface CommandLine {
  readonly command: Command
  readonly joinToken: string
  readonly config: Config
}

/** The command line or environment is invalid; `message` names every fault. */
export class ConfigError extends Error {}

/**
 * Parses the command line and the environment.
 * @throws {ConfigError}
 */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): CommandLine {
  const names = Object.keys(Config.shape)
  const options = Object.fromEntries(
    names.map((name) => [kebab(name), { type: 'string' as const }]),
  )
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = parsed.values[kebab(name)] ?? environment[variableOf(name)]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const result = Config.safeParse({ data: defaultData(), ...given })
  if (!result.success) {
    const faults = result.error.issues.map(
      (issue) => `${kebab(issue.path.join('.'))}: ${issue.message}`,
    )
    throw new ConfigError(faults.join('\n'))
  }
  const { rbdPools, sharedStorages } = result.data
  for (const name of rbdPools.keys())
    if (!sharedStorages.has(name))
      throw new ConfigError(`rbd-pools: ${name} is none of shared-storages`)
  const [command = 'run', joinToken = '', ...rest] = parsed.positionals.filter(
    (word, index) => !(index === 0 && word === 'agent'),
  )
  if (!isCommand(command)) throw new ConfigError(`There is no command ${command}`)
  if (command === 'join' && joinToken === '')
    throw new ConfigError('join needs the token of the node')
  if (rest.length > 0 || (command !== 'join' && joinToken !== '')) {
    throw new ConfigError('There is a word too much on the command line')
  }
  return { command, joinToken, config: { ...result.data, data: resolve(result.data.data) } }
}

const isCommand = (word: string): word is Command => (COMMANDS as readonly string[]).includes(word)

/** The system folder for root, otherwise the user's own. */
function defaultData(): string {
  return process.getuid?.() === 0
    ? '/var/lib/lodge-agent'
    : join(homedir(), '.local/share/lodge-agent')
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** Settings shared by control plane and agents have the same variable in both. */
const variableOf = (name: string) =>
  name.startsWith('egress') ? `LODGE_${snake(name)}` : `LODGE_AGENT_${snake(name)}`
const snake = (name: string) => kebab(name).replaceAll('-', '_').toUpperCase()
