import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'

/**
 * Everything that can be set from outside: each field is a flag (`--docker-socket`) and a variable
 * (`LODGE_AGENT_DOCKER_SOCKET`; those of egress are called as the control plane's, `LODGE_EGRESS_HOSTS`).
 */
const Config = z.object({
  /** Where credentials, journal and the servers' data are kept. */
  data: z.string().min(1),
  /** `host:port` of a control plane that has moved since this node joined it; empty for where it was. */
  fleetAddress: z
    .string()
    .regex(/^(.+:\d{1,5})?$/, 'must be host:port')
    .default(''),
  driver: z.enum(['docker', 'fake']).default('docker'),
  dockerSocket: z.string().min(1).default('/var/run/docker.sock'),
  /** Names the agent's containers and machines; empty for a word of its own (`ownScope`). */
  labelScope: z
    .string()
    .regex(/^([a-z0-9][a-z0-9-]{0,31})?$/, 'must be a short word of small letters and digits')
    .default(''),
  /** Beginning of the names of the bridges of servers, and of the firewall's table. */
  networkPrefix: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,8}$/, 'must be at most 9 small letters and digits')
    .default('lodge'),
  /** The address block that the networks of servers are cut from. */
  subnetPool: z
    .string()
    .regex(
      /^\d{1,3}(\.\d{1,3}){3}\/([89]|1\d|2[0-6])$/,
      'must be an IPv4 block such as 10.213.0.0/16',
    )
    .default('10.213.0.0/16'),
  /** Somebody starts the engine again when it ends, so that it may be ended where that mends it. */
  engineSupervised: z.stringbool().default(false),
  /** A file with passwords of image registries, as `docker login` writes it; empty for none. */
  registryConfig: z.string().default(''),
  /** Virtual machines: `auto` where libvirt is installed, be it after the agent. */
  machines: z.enum(['auto', 'libvirt', 'none']).default('auto'),
  libvirtUri: z.string().min(1).default('qemu:///system'),
  /** Where libvirt keeps the states of TPMs. */
  libvirtTpmFolder: z.string().startsWith('/').default('/var/lib/libvirt/swtpm'),
  /** Where libvirt looks for hooks. */
  libvirtHooksFolder: z.string().startsWith('/').default('/etc/libvirt/hooks'),
  /** Path of the network namespace that libvirt lives in, when it is not the agent's. */
  libvirtNetworkNamespace: z.string().default(''),
  /** As engineSupervised, for libvirt's daemon. */
  libvirtSupervised: z.stringbool().default(false),
  /** host:port pairs of the operator's own network that media may come from, separated by commas. */
  egressHosts: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** A PEM file of authorities that are trusted there beside the public ones; empty for none. */
  egressCa: z.string().default(''),
  /** Permits to boot lie here for a moment; nothing in it may outlive a reboot. */
  permitFolder: z.string().startsWith('/').default('/run/lodge/boot'),
  /** `host:port` of the page for Prometheus; empty for none. */
  metricsAddress: z
    .string()
    .regex(/^(.+:\d{1,5})?$/, 'must be host:port')
    .default(''),
  /** Also one set of series per server on that page. */
  metricsServers: z.stringbool().default(true),
  /** After a reboot, start the desired servers without waiting for the control plane. */
  offlineStart: z.stringbool().default(false),
  /** The ports that the preflight report tries, `from-to`. */
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

/** The command line or the environment cannot be used; `message` names every fault. */
export class ConfigError extends Error {}

/**
 * Reads the command line and the environment once.
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

/** The system's folder for root, the user's own otherwise. */
function defaultData(): string {
  return process.getuid?.() === 0
    ? '/var/lib/lodge-agent'
    : join(homedir(), '.local/share/lodge-agent')
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** What is said to the control plane and to the agents alike has one name. */
const variableOf = (name: string) =>
  name.startsWith('egress') ? `LODGE_${snake(name)}` : `LODGE_AGENT_${snake(name)}`
const snake = (name: string) => kebab(name).replaceAll('-', '_').toUpperCase()
