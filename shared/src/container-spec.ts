import { z } from 'zod'
import { PlayerQuery } from './players.ts'
import { OnSharedStorage } from './shared-storage.ts'

/**
 * Everything a node needs to run one container server, with every placeholder resolved. It is
 * stored with the server and sent to the agent as JSON, and the drivers build from it; nothing
 * outside this document reaches an engine.
 */

/** Where a workload's root file system comes from. */
export const ImageSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('registry'), reference: z.string().min(1).max(255) }),
  z.strictObject({
    kind: z.literal('debian'),
    suite: z.literal('bookworm'),
    packages: z.array(z.string().regex(/^[a-z0-9][a-z0-9.+-]+$/)).max(40),
  }),
  z.strictObject({ kind: z.literal('archive'), path: z.string().min(1).max(1024) }),
])
export type ImageSource = z.infer<typeof ImageSource>

export const PortPublication = z.strictObject({
  hostAddress: z.string().default('0.0.0.0'),
  hostPort: z.int().min(1).max(65535),
  containerPort: z.int().min(1).max(65535),
  protocol: z.enum(['tcp', 'udp']),
})
export type PortPublication = z.infer<typeof PortPublication>

export const SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGUSR1',
  'SIGSEGV',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGSTKFLT',
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGVTALRM',
  'SIGPROF',
  'SIGWINCH',
  'SIGIO',
  'SIGPWR',
  'SIGSYS',
] as const
export const Signal = z.enum(SIGNALS)
export type Signal = z.infer<typeof Signal>

/**
 * One step of stopping a workload; the next step follows when this one times out. SIGKILL always
 * comes last.
 */
export const StopStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    text: z.string().min(1).max(1024),
    timeoutSeconds: z.int().min(1).max(600),
  }),
  z.strictObject({
    kind: z.literal('signal'),
    signal: Signal,
    timeoutSeconds: z.int().min(0).max(600),
  }),
])
export type StopStep = z.infer<typeof StopStep>

/** A line of output that proves the start: a literal part of it, or an RE2 expression. */
export const DonePattern = z.strictObject({
  kind: z.enum(['text', 'regex']),
  value: z.string().min(1).max(1024),
})
export type DonePattern = z.infer<typeof DonePattern>

/** The readiness probe. Any one condition suffices; `stayUpSeconds` alone is the fallback. */
export const ProofOfLife = z.strictObject({
  patterns: z.array(DonePattern).max(20).default([]),
  stripAnsi: z.boolean().default(true),
  tcpPort: z
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe('a container port that accepts a connection'),
  stayUpSeconds: z.int().min(0).max(600).optional(),
  timeoutSeconds: z.int().min(1).max(3600).default(300),
})
export type ProofOfLife = z.infer<typeof ProofOfLife>

export const CONFIG_PARSERS = ['file', 'yaml', 'properties', 'ini', 'json', 'xml', 'toml'] as const
/** For the `xml` parser: a value that sets an attribute, with its name and its text. */
export const XML_ATTRIBUTE = /^\[([\w:-]+)='(.*)'\]$/s

/** One edit of a configuration file before a start; `path` is relative to the server's data folder. */
export const ConfigFile = z
  .strictObject({
    path: z.string().min(1).max(512),
    parser: z.enum(CONFIG_PARSERS),
    create: z.boolean().default(true),
    edits: z
      .array(
        z.strictObject({
          match: z
            .string()
            .max(512)
            .describe(
              'a dotted path, or for the parser `file` the beginning of a line; empty there means every line',
            ),
          ifValue: z
            .string()
            .max(1024)
            .optional()
            .describe('replace only this value; with `regex:` before it, an RE2 expression'),
          value: z.union([z.string().max(8192), z.number(), z.boolean(), z.null()]),
          lines: z
            .literal(true)
            .optional()
            .describe(
              'for the parser `file`: the value is several lines; else its line ends become spaces',
            ),
          asText: z
            .literal(true)
            .optional()
            .describe(
              "for the parser `xml`: the value is text, also when it looks like [name='text']",
            ),
        }),
      )
      .max(500),
  })
  .superRefine(({ parser, edits }, context) => {
    for (const [index, edit] of edits.entries()) {
      if (edit.match !== '' || parser === 'file') continue
      const path = ['edits', index, 'match']
      context.addIssue({ code: 'custom', path, message: 'must not be empty' })
    }
  })
export type ConfigFile = z.infer<typeof ConfigFile>

/** Linux capabilities that a template may ask for; all others are dropped. */
export const CAPABILITIES = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'NET_BIND_SERVICE',
  'SETGID',
  'SETUID',
] as const

export const ResourceLimits = z.strictObject({
  memoryMb: z.int().min(16).max(16_777_216),
  cpuPercent: z.int().min(1).max(102_400).describe('100 is one core'),
  diskMb: z.int().min(1).max(1_073_741_824),
  pids: z.int().min(8).max(32_768).default(512),
  openFiles: z.int().min(64).max(1_048_576).default(65_536),
})
export type ResourceLimits = z.infer<typeof ResourceLimits>

const Environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_768))

export const InstallSpec = z.strictObject({
  image: ImageSource,
  /** The program that receives the script's path as its last argument. */
  interpreter: z.array(z.string().max(1024)).min(1).max(16),
  script: z.string().max(1_048_576),
  environment: Environment,
  timeoutSeconds: z.int().min(10).max(86_400).default(1800),
  memoryMb: z.int().min(16).optional().describe('at least this much while installing'),
})
export type InstallSpec = z.infer<typeof InstallSpec>

export const ContainerSpec = z.strictObject({
  image: ImageSource,
  /** Replaces the image's entry point and command; empty keeps both. */
  command: z.array(z.string().max(32_768)).max(256),
  environment: Environment,
  /** Names in `environment` whose values must not appear in a log. */
  secretNames: z.array(z.string()).max(256).default([]),
  workingDirectory: z.string().max(512).optional(),
  /** Where the server's data folder is mounted. */
  dataPath: z.string().startsWith('/').max(512),
  ports: z.array(PortPublication).max(400),
  limits: ResourceLimits,
  capabilities: z.array(z.enum(CAPABILITIES)).max(6).default([]),
  writableRoot: z.boolean().default(false),
  tty: z.boolean().default(false),
  temporaryMb: z.int().min(1).max(4096).default(64),
  proofOfLife: ProofOfLife,
  stop: z.array(StopStep).max(8),
  configFiles: z.array(ConfigFile).max(64).default([]),
  install: InstallSpec.optional(),
  storage: OnSharedStorage,
  query: PlayerQuery.optional().describe('told to the node apart from the rest'),
})
export type ContainerSpec = z.infer<typeof ContainerSpec>
