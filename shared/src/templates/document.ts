import { z } from 'zod'
import { BackupCommands } from '../backup-work.ts'
import { CAPABILITIES, ConfigFile, ImageSource, ProofOfLife, StopStep } from '../container-spec.ts'
import { IgnoreList } from '../ignored-files.ts'
import { QUERY_PROTOCOLS } from '../players.ts'
import { PortProtocol } from '../servers.ts'
import { whyNotIcon } from './icon.ts'
import { RESERVED_NAMES } from './reserved-names.ts'
import { Rule } from './rules/rule.ts'

/**
 * A template: what any server of one kind needs to run. Texts may hold placeholders
 * (placeholders.ts). It cannot express engine settings: no mounts, no devices, no networks, no
 * privileges except the listed capabilities.
 */

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'must be one line')

const label = line(128).min(1)

/** A path inside the data folder: relative, without `..`. */
export const DataFolderPath = z
  .string()
  .min(1)
  .max(512)
  .refine((path) => isInside(path), 'must be a path inside the data folder')

/** True for a relative path that cannot leave its folder. */
export function isInside(path: string): boolean {
  if (path.startsWith('/') || /[\0\n\r\\]/.test(path)) return false
  return path.split('/').every((part) => part !== '..' && part !== '')
}

/** `[registry[:port]/]path[:tag][@sha256:…]` in lower case. */
const IMAGE_REFERENCE =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/

/** Why a text is not a valid image reference, in words; undefined when it is. */
export function whyNotImageReference(reference: string): string | undefined {
  if (reference.length > 255) return 'an image name has at most 255 characters'
  return IMAGE_REFERENCE.test(reference)
    ? undefined
    : `"${reference.slice(0, 80)}" is not the name of an image`
}

const TemplateImageSource = ImageSource.superRefine((source, context) => {
  const fault = source.kind === 'registry' ? whyNotImageReference(source.reference) : undefined
  if (fault) context.addIssue({ code: 'custom', path: ['reference'], message: fault })
  if (source.kind === 'archive') {
    context.addIssue({
      code: 'custom',
      path: ['kind'],
      message: 'a template cannot name a file of a node',
    })
  }
})

export const EnvironmentName = z
  .string()
  .max(191)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be letters, digits and underscores')
  .refine((name) => name !== '__proto__', 'is not allowed')

const EnvironmentTexts = z.record(EnvironmentName, z.string().max(32_768))

export const TemplateVariable = z.strictObject({
  name: label,
  description: z.string().max(16_384).default(''),
  env: EnvironmentName.refine(
    (name) => !RESERVED_NAMES.includes(name.toUpperCase()),
    'is set by the panel itself',
  ),
  default: z.string().max(32_768).default(''),
  rules: z.array(Rule).max(16).default([]),
  userViewable: z.boolean().default(true),
  userEditable: z.boolean().default(true),
  /** The value is masked wherever it is shown and never logged. */
  secret: z.boolean().default(false),
})
export type TemplateVariable = z.infer<typeof TemplateVariable>

/** How the main process is started. */
export const Startup = z.discriminatedUnion('kind', [
  /**
   * Program and arguments; each item is filled in separately and never passes a shell. Empty keeps
   * the image's own.
   */
  z.strictObject({ kind: z.literal('argv'), command: z.array(z.string().max(8192)).max(256) }),
  /** For images whose entry point reads the command line from STARTUP. The first one is the default. */
  z.strictObject({
    kind: z.literal('text'),
    commands: z
      .array(
        z.strictObject({
          name: label,
          text: z.string().max(16_384).regex(/\S/, 'must not be blank'),
        }),
      )
      .min(1)
      .max(50),
  }),
])
export type Startup = z.infer<typeof Startup>

const TemplateProofOfLife = ProofOfLife.omit({ tcpPort: true }).extend({
  tcpPort: z.union([z.literal('primary'), z.int().min(1).max(65535)]).optional(),
})

const ExtraPort = z.strictObject({
  label,
  protocol: PortProtocol,
  /** Fixed port inside the container; if absent the same as outside. */
  containerPort: z.int().min(1).max(65535).optional(),
})

/** How to find out who is playing. */
const TemplateQuery = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('protocol'),
    protocol: z.enum(QUERY_PROTOCOLS),
    portOffset: z
      .int()
      .min(0)
      .max(50)
      .default(0)
      .describe('which port of the server answers: 0 is the primary one, 1 the first extra one'),
  }),
  z.strictObject({
    kind: z.literal('file'),
    path: DataFolderPath.describe('JSON that the server keeps: online, most, names'),
  }),
])

const Install = z.strictObject({
  image: TemplateImageSource,
  /** The program that receives the script; the data folder is mounted at /mnt/server for it. */
  interpreter: z.array(z.string().min(1).max(1024)).min(1).max(16),
  script: z.string().min(1).max(1_048_576),
  timeoutSeconds: z.int().min(10).max(86_400).default(1800),
  memoryMb: z.int().min(16).max(1_048_576).optional(),
})

/** A command that the program's console understands. */
const ConsoleCommand = z.strictObject({
  command: line(128).min(1).describe('as it is typed, with its arguments in angle brackets'),
  description: line(256).default(''),
})

/** What a server is built from: a change of it is a new version of the template. */
export const TemplateRuntime = z.strictObject({
  images: z
    .array(z.strictObject({ name: label, source: TemplateImageSource }))
    .min(1)
    .max(100)
    .describe('the first one is the default'),
  startup: Startup,
  environment: EnvironmentTexts.default({}),
  dataPath: z
    .string()
    .max(512)
    .regex(/^(\/[A-Za-z0-9._-]+)+$/, 'must be an absolute path')
    .refine((path) => !path.split('/').includes('..'), 'must not hold ..')
    .refine((path) => !/^\/(proc|sys|dev)(\/|$)/.test(path), 'must not be in /proc, /sys or /dev'),
  proofOfLife: TemplateProofOfLife,
  stop: z.array(StopStep).min(1).max(8),
  configFiles: z
    .array(ConfigFile.safeExtend({ path: DataFolderPath }))
    .max(64)
    .default([]),
  install: Install.optional(),
  capabilities: z.array(z.enum(CAPABILITIES)).max(6).default([]),
  writableRoot: z.boolean().default(false),
  tty: z.boolean().default(false),
  temporaryMb: z.int().min(1).max(4096).default(64),
  port: z
    .strictObject({ protocol: PortProtocol, containerPort: z.int().min(1).max(65535).optional() })
    .default({ protocol: 'both' }),
  extraPorts: z.array(ExtraPort).max(50).default([]),
  limits: z
    .strictObject({
      memoryMb: z.int().min(16).max(16_777_216).optional(),
      cpuPercent: z.int().min(1).max(102_400).optional(),
      diskMb: z.int().min(1).max(1_073_741_824).optional(),
      pids: z.int().min(8).max(32_768).optional(),
      openFiles: z.int().min(64).max(1_048_576).optional(),
    })
    .default({})
    .describe('sizes are recommendations; pids and openFiles are set'),
  query: TemplateQuery.optional(),
  backup: BackupCommands.optional().describe(
    'console commands around a backup, such as save-off and save-all before and save-on after it',
  ),
  /** Memory the program needs besides what SERVER_MEMORY tells it, e.g. outside a JVM's heap. */
  memoryOverheadMb: z.int().min(0).max(65_536).optional(),
})
export type TemplateRuntime = z.infer<typeof TemplateRuntime>

const unique = (values: readonly string[]): boolean => new Set(values).size === values.length

/** Whether any text in the value, however deep, has a null character. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  return value !== null && typeof value === 'object' && Object.values(value).some(holdsNul)
}

export const TemplateDocument = z
  .strictObject({
    format: z.literal('lodge/v1'),
    uuid: z.uuid().optional(),
    name: label,
    author: line(191).default(''),
    description: z.string().max(16_384).default(''),
    tags: z.array(line(64).min(1)).max(32).default([]),
    icon: z
      .string()
      .max(1_500_000)
      .optional()
      .describe('the name of an icon of the panel, or a PNG, JPEG, WebP or GIF as a data: URL'),
    updateUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
    kind: z.literal('container'),
    runtime: TemplateRuntime,
    variables: z.array(TemplateVariable).max(200).default([]),
    connection: z
      .array(line(512).min(1))
      .max(8)
      .optional()
      .describe('how to connect, one sentence each, with {{server.address}} and {{server.port}}'),
    commands: z
      .array(ConsoleCommand)
      .max(200)
      .optional()
      .describe('commands that the console offers while somebody types'),
    /** Names of the panel's problem cards that this server can trigger. */
    features: z
      .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/))
      .max(50)
      .default([]),
    /** Patterns of files that customers cannot access. */
    fileDenylist: z.array(line(512).min(1)).max(500).default([]),
    backupIgnore: IgnoreList.optional(),
  })
  .superRefine((document, context) => {
    const fault = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    // No database text, environment or command line can hold one.
    if (holdsNul(document)) fault([], 'must not hold a null character')
    const icon = document.icon === undefined ? undefined : whyNotIcon(document.icon)
    if (icon) fault(['icon'], icon)
    if (!unique(document.variables.map((variable) => variable.env)))
      fault(['variables'], 'two have the same name')
    const { images, startup } = document.runtime
    if (!unique(images.map((image) => image.name)))
      fault(['runtime', 'images'], 'two have the same name')
    if (startup.kind === 'text' && !unique(startup.commands.map((command) => command.name))) {
      fault(['runtime', 'startup', 'commands'], 'two have the same name')
    }
  })
export type TemplateDocument = z.infer<typeof TemplateDocument>
/** A document as written, before defaults are filled in. */
export type TemplateDocumentInput = z.input<typeof TemplateDocument>
