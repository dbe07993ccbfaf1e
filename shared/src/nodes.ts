import { z } from 'zod'
import { HardwareReport } from './hardware.ts'
import { NetworkOpenings } from './network-opening.ts'
import { SftpReport } from './sftp-nodes.ts'
import { StorageReport } from './shared-storage.ts'
import { VirtualizationCheck } from './virtualization.ts'

export const NodeState = z.enum(['enrolling', 'online', 'offline', 'cordoned'])
export type NodeState = z.infer<typeof NodeState>

/** One line of an agent's report about its machine. */
export const PreflightCheck = z.object({
  id: z.union([
    z.enum([
      'docker',
      'libvirt',
      'cgroups',
      'ports',
      'clock',
      'disk',
      'kvm',
      'images',
      'files',
      'backups',
    ]),
    z.templateLiteral(['registry:', z.string().max(100)]),
  ]),
  state: z.enum(['ok', 'warning', 'failed']),
  summary: z.string(),
  /** What to do about it; null when there is nothing to do. */
  remedy: z.string().nullable(),
})
export type PreflightCheck = z.infer<typeof PreflightCheck>

/**
 * Whether one of the node's drivers works now, and in words why not, or what works worse than it should.
 */
export const DriverState = z.object({
  kind: z.string(),
  healthy: z.boolean(),
  version: z.string(),
  why: z.string(),
  /** The same of one that works, by code; agents of an earlier release say only `why`. */
  warnings: z
    .array(z.object({ code: z.string(), values: z.record(z.string(), z.string()) }))
    .default([]),
})
export type DriverState = Readonly<z.infer<typeof DriverState>>

/** What an operator may set, or leave to what the agent reports. */
export const CapacityField = z.enum(['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'])
export type CapacityField = z.infer<typeof CapacityField>

export const nodeName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u)
export const locationName = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u)

export const PortRange = z
  .strictObject({ from: z.int().min(1024).max(65535), to: z.int().min(1024).max(65535) })
  .refine((range) => range.from <= range.to, 'the range ends before it begins')

/** Bounds of a node's capacity, for what is set and for what is detected. */
export const CAPACITY_BOUNDS = {
  memoryMb: { least: 64, most: 16_777_216 },
  cpuPercent: { least: 10, most: 102_400 },
  diskMb: { least: 64, most: 1_073_741_824 },
} as const

const size = ({ least, most }: { least: number; most: number }) =>
  z.int().min(least).max(most).nullable().describe('null: as the agent detects it')

export const CreateNode = z.strictObject({
  name: nodeName,
  location: locationName,
  memoryMb: size(CAPACITY_BOUNDS.memoryMb),
  cpuPercent: size(CAPACITY_BOUNDS.cpuPercent),
  diskMb: size(CAPACITY_BOUNDS.diskMb),
  headroomMb: z
    .int()
    .min(0)
    .max(CAPACITY_BOUNDS.memoryMb.most)
    .nullable()
    .optional()
    .describe('null: 5% of the memory, 20% on the machine of the control plane'),
  address: z.string().trim().min(1).max(253).optional().describe('what customers connect to'),
  portRanges: z.array(PortRange).min(1).max(20).optional(),
  sftpPort: z
    .int()
    .min(1024)
    .max(65535)
    .nullable()
    .optional()
    .describe('where customers reach SFTP on the node itself; null: through the control plane'),
  transferPort: z
    .int()
    .min(1024)
    .max(65535)
    .nullable()
    .optional()
    .describe(
      'where other nodes fetch and bring files and disks directly; null: through the control plane',
    ),
})
export type CreateNode = z.infer<typeof CreateNode>

export const EditNode = CreateNode.partial().extend({
  address: CreateNode.shape.address
    .nullable()
    .describe('what customers connect to; null: where the agent connects from'),
  cordoned: z.boolean().optional(),
  defaultStorageId: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'a shared storage of the node, on which new servers get their files or disks if nobody says otherwise; null: its own disk',
    ),
  openNetworks: NetworkOpenings.optional().describe(
    'what its workloads may reach beside the public internet',
  ),
})
export type EditNode = z.infer<typeof EditNode>

/** What the node offers for virtual machines, and whether it may. */
export const NodeVirtualization = z.object({
  /** Accepts new virtual machines. */
  enabled: z.boolean(),
  /** Also when they must run without KVM. */
  emulationAllowed: z.boolean(),
  /** What the agent found; null when its node runs none. */
  found: z
    .object({
      available: z.boolean(),
      why: z.string(),
      kvm: z.boolean(),
      kvmWhy: z.string(),
      libvirtVersion: z.string(),
      qemuVersion: z.string(),
      tpm: z.boolean(),
      checks: z.array(VirtualizationCheck),
    })
    .nullable(),
})

export const EditNodeVirtualization = z.strictObject({
  enabled: z.boolean(),
  emulationAllowed: z.boolean().optional(),
})
export type EditNodeVirtualization = z.infer<typeof EditNodeVirtualization>

/** Why a node takes no new servers: it was lost or taken over, is being emptied, or a person wants it so. */
export const CordonCause = z.enum(['failover', 'evacuation', 'person'])
export type CordonCause = z.infer<typeof CordonCause>

export const Node = z.object({
  id: z.uuid(),
  name: z.string(),
  location: z.string(),
  address: z.string().nullable(),
  state: NodeState,
  cordoned: z.boolean(),
  /** Why and since when it is cordoned; null: it is not, or that was not recorded yet then. */
  cordon: z.object({ because: CordonCause, since: z.iso.datetime() }).nullable(),
  memoryMb: z.int(),
  cpuPercent: z.int(),
  diskMb: z.int(),
  headroomMb: z.int(),
  /** Which of the four follow the agent's report; the others were set. */
  followed: z.array(CapacityField),
  /** What the agent reports that servers may use; null until it has been connected. */
  detected: z.object({ memoryMb: z.int(), cpuPercent: z.int(), diskMb: z.int() }).nullable(),
  allocated: z.object({
    memoryMb: z.int(),
    cpuPercent: z.int(),
    diskMb: z.int(),
    servers: z.int(),
  }),
  usage: z
    .object({
      at: z.iso.datetime(),
      cpuPercent: z.number(),
      cpuCores: z.int(),
      memoryTotalBytes: z.number(),
      memoryUsedBytes: z.number(),
      diskTotalBytes: z.number(),
      diskUsedBytes: z.number(),
    })
    .nullable(),
  portRanges: z.array(z.object({ from: z.int(), to: z.int() })),
  openNetworks: z.array(
    z.object({
      network: z.string(),
      protocol: z.enum(['tcp', 'udp']).nullable(),
      ports: z.object({ from: z.int(), to: z.int() }).nullable(),
    }),
  ),
  /** SFTP on the node itself. */
  sftp: z.object({
    /** Null: people go through the control plane. */
    port: z.int().nullable(),
    open: z.boolean(),
    /** Why it is not open, if that is known. */
    why: z.string().nullable(),
    hostKeys: SftpReport.shape.hostKeys,
  }),
  /** Files and disks that pass directly between this node and others. */
  transfers: z.object({
    /** Null: they go through the control plane. */
    port: z.int().nullable(),
    open: z.boolean(),
    /** Why it is not open, if that is known. */
    why: z.string().nullable(),
  }),
  /** Shared storages that its configuration names, there or not. */
  storages: z.array(StorageReport),
  /** The one on which new servers get their files or disks; null: the disk of the node. */
  defaultStorageId: z.uuid().nullable(),
  agentVersion: z.string().nullable(),
  /** The panel hands out a newer agent. */
  agentOutdated: z.boolean(),
  capabilities: z.array(z.string()),
  preflight: z.array(PreflightCheck),
  virtualization: NodeVirtualization,
  lastSeenAt: z.iso.datetime().nullable(),
  connectedSince: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
})
export type Node = z.infer<typeof Node>

/** Which agents to update. */
export const UpdateAgents = z.strictObject({
  nodeIds: z
    .array(z.uuid())
    .min(1)
    .max(500)
    .optional()
    .describe('absent: every connected node whose agent is outdated and can replace itself'),
})
export type UpdateAgents = z.infer<typeof UpdateAgents>

/** The command to paste on the new machine; the token works once and is not shown again. */
export const Enrollment = z.object({
  command: z.string(),
  token: z.string(),
  fingerprint: z.string(),
  expiresAt: z.iso.datetime(),
})
export type Enrollment = z.infer<typeof Enrollment>

/** What the machine of a node consists of. */
export const NodeHardware = z.object({
  /** Null where the agent is too old to report it, and before it was connected. */
  hardware: HardwareReport.nullable(),
  /** The engines that its drivers use. */
  engines: z.array(DriverState),
  /** How many of the node's servers lie on each shared storage, by its id. */
  serversOnStorage: z.record(z.uuid(), z.int()),
})
export type NodeHardware = z.infer<typeof NodeHardware>
