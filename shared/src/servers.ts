import { z } from 'zod'
import { METRICS_RANGE_NAMES } from './metrics-time.ts'
import { MOST_TAGS, ServerIcon, ServerMark, ServerTag } from './server-labels.ts'
import {
  HOLD_KINDS,
  OBSERVED_STATES,
  SERVER_ACTIONS,
  SERVER_STATUSES,
  SUSPENSION_CAUSES,
} from './server-status.ts'
import { CreateVm } from './vms.ts'

export const ObservedState = z.enum(OBSERVED_STATES)
export type ObservedState = z.infer<typeof ObservedState>

export const HoldKind = z.enum(HOLD_KINDS)
export type HoldKind = z.infer<typeof HoldKind>

export const SuspensionCause = z.enum(SUSPENSION_CAUSES)
export type SuspensionCause = z.infer<typeof SuspensionCause>

/** What people see: a pure function of desired state, observation, holds and the age of the observation. */
export const ServerStatus = z.enum(SERVER_STATUSES)
export type ServerStatus = z.infer<typeof ServerStatus>

export const Power = z.enum(['on', 'off'])
export type Power = z.infer<typeof Power>

export const ServerAction = z.enum(SERVER_ACTIONS)
export type ServerAction = z.infer<typeof ServerAction>

export const ExitInfo = z.object({
  code: z.int().nullable(),
  signal: z.string().nullable(),
  outOfMemory: z.boolean(),
  at: z.iso.datetime(),
  /** For machines: shutdown, panic, watchdog, lost or ended. */
  cause: z.enum(['shutdown', 'panic', 'watchdog', 'lost', 'ended']).optional(),
})
export type ExitInfo = z.infer<typeof ExitInfo>

export const CrashPolicy = z.strictObject({
  mode: z.enum(['always', 'on-failure', 'never']),
  maxRestarts: z.int().min(0).max(100),
  windowMinutes: z.int().min(1).max(1440),
  backoffSeconds: z.array(z.int().min(0).max(3600)).min(1).max(10),
})
export type CrashPolicy = z.infer<typeof CrashPolicy>

/** What a server's crash policy has done and will do. */
export const CrashState = z.object({
  /** Counted restarts after crashes: within the policy's window and since a person started it. */
  attemptsInWindow: z.int(),
  /** When the next restart comes; null when there is none. */
  restartAt: z.iso.datetime().nullable(),
  /** When and why the policy stopped restarting it after too many crashes; null when it has not. */
  gaveUp: z.object({ at: z.iso.datetime(), reason: z.string() }).nullable(),
})
export type CrashState = z.infer<typeof CrashState>

export const DEFAULT_CRASH_POLICY: CrashPolicy = {
  mode: 'on-failure',
  maxRestarts: 3,
  windowMinutes: 10,
  backoffSeconds: [5, 15, 60],
}

export const serverName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters')

export const PortProtocol = z.enum(['tcp', 'udp', 'both'])
export type PortProtocol = z.infer<typeof PortProtocol>

/** One port mapping of a server. Offset 0 is its primary port and cannot be removed. */
export const PortMapping = z.object({
  offset: z.int().min(0),
  hostPort: z.int(),
  container: z.int(),
  protocol: PortProtocol,
  label: z.string().nullable(),
})
export type PortMapping = z.infer<typeof PortMapping>

/** A server as its owner, its collaborators and administrators see it. Sizes are MiB; 100 % CPU is one core. */
export const Server = z.object({
  id: z.uuid(),
  name: z.string(),
  icon: ServerIcon.nullable().describe("null for the template's"),
  tags: z.array(z.string()),
  kind: z.enum(['container', 'vm']),
  ownerId: z.uuid(),
  ownerEmail: z.string(),
  /** Null for a virtual machine, which names its hardware profile instead. */
  templateId: z.uuid().nullable(),
  templateName: z.string(),
  /** The name of a picture that the panel draws, or the address of one; null without one. */
  templateIcon: z.string().nullable(),
  templateVersion: z.int(),
  templateOutdated: z.boolean(),
  nodeId: z.uuid(),
  nodeName: z.string(),
  nodeOnline: z.boolean(),
  location: z.string(),
  memoryMb: z.int(),
  cpuPercent: z.int(),
  diskMb: z.int(),
  address: z.string().nullable(),
  port: z.int().nullable(),
  status: ServerStatus,
  observedState: ObservedState,
  observedAt: z.iso.datetime().nullable(),
  since: z.iso.datetime().nullable(),
  desiredPower: Power,
  holds: z.array(z.object({ kind: HoldKind, cause: z.string() })),
  restartRequired: z.boolean(),
  restartAt: z.iso.datetime().nullable(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
  lastExit: ExitInfo.nullable(),
  diskLimit: z.enum(['enforced', 'measured']).nullable(),
  /** When the owner's deletion takes effect; null when none is scheduled. */
  deleteAt: z.iso.datetime().nullable(),
  usage: z
    .object({
      at: z.iso.datetime(),
      cpuPercent: z.number(),
      memoryBytes: z.number(),
      memoryOfNode: z
        .boolean()
        .describe('counted by the node, as the guest does not say what it uses'),
      diskBytes: z.number().nullable(),
      networkRxBytesPerSecond: z.number(),
      networkTxBytesPerSecond: z.number(),
    })
    .nullable(),
  revision: z.int(),
  createdAt: z.iso.datetime(),
})
export type Server = z.infer<typeof Server>

/** A server as one person finds it in their own list. */
export const MarkedServer = Server.extend(ServerMark.shape)
export type MarkedServer = z.infer<typeof MarkedServer>

/** The same on its own page. */
export const ShownServer = MarkedServer.extend({
  storage: z
    .object({ id: z.uuid(), name: z.string() })
    .nullable()
    .describe('the shared storage that its files or disks lie on; null: the disk of its node'),
})
export type ShownServer = z.infer<typeof ShownServer>

/** Name, icon and tags belong to the server: everybody who sees it sees the same. */
export const EditLabels = z.strictObject({
  name: serverName.optional(),
  icon: ServerIcon.nullable().optional().describe("null for the template's"),
  tags: z.array(ServerTag).max(MOST_TAGS).optional(),
})
export type EditLabels = z.infer<typeof EditLabels>

export const CreateServer = z.strictObject({
  name: serverName,
  ownerId: z.uuid(),
  templateId: z
    .uuid()
    .describe('template of a container server, hardware profile of a virtual machine'),
  vm: CreateVm.optional(),
  nodeId: z.uuid().optional(),
  location: z.string().trim().min(1).max(64).optional(),
  storageId: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'a shared storage for the files or disks of the server; null: the disk of its node; absent: as that node has it (`defaultStorageId`)',
    ),
  memoryMb: z.int().min(16).max(16_777_216).optional(),
  cpuPercent: z.int().min(1).max(102_400).optional(),
  diskMb: z.int().min(1).max(1_073_741_824).optional(),
  port: z.int().min(1).max(65535).optional(),
  variables: z.record(z.string(), z.string().max(32_768)).optional(),
  image: z.string().max(255).optional(),
  start: z.boolean().optional(),
  force: z.boolean().optional(),
})
export type CreateServer = z.infer<typeof CreateServer>

/** What customers set when they create a server for themselves; the host decides the rest. */
export const CreateOwnServer = CreateServer.pick({
  templateId: true,
  vm: true,
  name: true,
  memoryMb: true,
  cpuPercent: true,
  diskMb: true,
  location: true,
  variables: true,
  image: true,
  start: true,
})

export const EditServer = z.strictObject({
  name: serverName.optional(),
  memoryMb: z.int().min(16).max(16_777_216).optional(),
  cpuPercent: z.int().min(1).max(102_400).optional(),
  diskMb: z.int().min(1).max(1_073_741_824).optional(),
  force: z.boolean().optional(),
})
export type EditServer = z.infer<typeof EditServer>

/** One entry of the crash and restart history. */
export const ServerEvent = z.object({
  id: z.string(),
  kind: z.enum([
    'installed',
    'install_failed',
    'started',
    'start_failed',
    'stopped',
    'killed',
    'crashed',
    /** It exited by itself without an error: exit code 0, or the system shut itself down. */
    'ended',
    'restarted',
    'gave_up',
    'out_of_memory',
    'disk_full',
    'adopted',
    'removed_outside',
    'rebooted',
  ]),
  at: z.iso.datetime(),
  exit: ExitInfo.nullable(),
  /** The decision and its reason, in words. */
  reason: z.string(),
  restart: z.object({ attempt: z.int(), of: z.int(), waitSeconds: z.int() }).nullable(),
  lastLines: z.array(z.string()),
})
export type ServerEvent = z.infer<typeof ServerEvent>

export const MetricsPoint = z.object({
  /** Start of the step that the figures cover. */
  at: z.iso.datetime(),
  cpuPercent: z.number(),
  /** Highest sample of the step, beside its average. */
  cpuPercentMax: z.number().optional(),
  memoryBytes: z.number(),
  memoryBytesMax: z.number().optional(),
  networkRxBytesPerSecond: z.number(),
  networkRxBytesPerSecondMax: z.number().optional(),
  networkTxBytesPerSecond: z.number(),
  networkTxBytesPerSecondMax: z.number().optional(),
  diskBytes: z.number().nullable(),
})
export type MetricsPoint = z.infer<typeof MetricsPoint>

const MetricsRange = z.enum(METRICS_RANGE_NAMES)

/** A range up to now, or the time from one moment to another; the last 90 days are kept. */
export const MetricsQuery = z.object({
  range: MetricsRange.default('hour'),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
})
export type MetricsQuery = z.infer<typeof MetricsQuery>

/** Why a time has no metrics. */
export const MetricsGap = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  reason: z.enum(['not_created', 'stopped', 'node_offline', 'unknown']),
})
export type MetricsGap = z.infer<typeof MetricsGap>

/** What every history of metrics says about its time. */
export const metricsTime = {
  /** Null when two moments were asked for. */
  range: MetricsRange.nullable(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  stepSeconds: z.int(),
  gaps: z.array(MetricsGap),
} as const

export const ServerMetrics = z.object({
  ...metricsTime,
  memoryLimitMb: z.int(),
  cpuLimitPercent: z.int(),
  diskLimitMb: z.int(),
  points: z.array(MetricsPoint),
})
export type ServerMetrics = z.infer<typeof ServerMetrics>
