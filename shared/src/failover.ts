import { z } from 'zod'
import {
  LEAST_EXTENSION_SECONDS,
  LEAST_TTL_SECONDS,
  MOST_EXTENSION_SECONDS,
  MOST_TTL_SECONDS,
} from './leases/times.ts'
import { NodeState } from './nodes.ts'

/** API schemas of failover: what the loss of a node would cost, and its servers brought back elsewhere. */

export const PlanFailover = z.strictObject({ nodeId: z.uuid() })
export type PlanFailover = z.infer<typeof PlanFailover>

export const RunFailover = z.strictObject({
  nodeId: z.uuid(),
  confirm: z.string().max(64).describe('the name of the node, which so is declared dead'),
  serverIds: z
    .array(z.uuid())
    .min(1)
    .max(1000)
    .optional()
    .describe('only these; absent: every server that can be restored'),
})
export type RunFailover = z.infer<typeof RunFailover>

/** What becomes of servers whose node is lost. */
export const FailoverMode = z.enum(['pinned', 'auto', 'stonith'])
export type FailoverMode = z.infer<typeof FailoverMode>

export const SetNodeFailover = z.strictObject({
  mode: FailoverMode.describe(
    'pinned: servers run on while the node is cut off, and nothing moves before a person declares it dead; auto: they stop when its lease ends, and are brought back elsewhere; stonith: they run on, and are brought back elsewhere once the fence command has said that the node is off',
  ),
  ttlSeconds: z
    .int()
    .min(LEAST_TTL_SECONDS)
    .max(MOST_TTL_SECONDS)
    .optional()
    .describe('how long a lease is valid'),
})
export type SetNodeFailover = z.infer<typeof SetNodeFailover>

/** Where the control plane is in switching off a node that fell silent. */
export const Fencing = z.object({
  askedAt: z.iso.datetime(),
  /** How often the fence command was asked to. */
  tries: z.int(),
  /** Since when it is known to be off; null while it is not. */
  offAt: z.iso.datetime().nullable(),
  /** When it is tried next; null: it is off. */
  tryAt: z.iso.datetime().nullable(),
  /** Why the last try did not switch it off. */
  failed: z.string().nullable(),
})
export type Fencing = z.infer<typeof Fencing>

/** Whether a node is on, as far as the fence command can tell. */
export const NodePower = z.object({
  power: z.enum(['on', 'off', 'unknown']),
  /** Why it is not known; null otherwise. */
  why: z.string().nullable(),
})
export type NodePower = z.infer<typeof NodePower>

/** How the failover of a node is set. */
export const NodeFailover = z.object({
  mode: FailoverMode,
  /** When the mode was chosen; null: never. */
  since: z.iso.datetime().nullable(),
  /** Why it cannot be `auto`; null if it can. */
  whyNotAuto: z.string().nullable(),
  /** Why it cannot be `stonith`; null if it can. */
  whyNotStonith: z.string().nullable(),
  ttlSeconds: z.number(),
  /** How long it must be silent before it is taken over. */
  takeoverAfterSeconds: z.number(),
  /** When it is taken over or switched off if it stays silent; null: nothing on it is taken over. */
  takeoverAt: z.iso.datetime().nullable(),
  /** Since when it counts as lost, until it has proved that its guarded servers have stopped. */
  fencedAt: z.iso.datetime().nullable(),
  /** Servers with the mode auto in force, and those of them that the node has confirmed to guard. */
  auto: z.int(),
  guarded: z.int(),
  /** Virtual machines that wait for a person although `auto` is chosen for them, and why; null: none. */
  unguarded: z.object({ machines: z.int(), why: z.string() }).nullable(),
  /** Servers with the mode stonith in force. */
  stonith: z.int(),
  /** Since it fell silent; null: it was not asked to be switched off. */
  fencing: Fencing.nullable(),
})
export type NodeFailover = z.infer<typeof NodeFailover>

export const SetServerFailover = z.strictObject({
  mode: FailoverMode.nullable().describe('null: that of its node'),
})

export const ServerFailover = z.object({
  /** Its own mode; null: that of its node. */
  own: FailoverMode.nullable(),
  /** The mode in force. */
  mode: FailoverMode,
  /** Why it is `pinned` although `auto` is chosen for it or its node; null if it is not. */
  whyPinned: z.string().nullable(),
  /** Its node has confirmed that it stops when the lease ends; only then it is taken over. */
  guarded: z.boolean(),
  /** Why it cannot be `auto`; null if it can. */
  whyNotAuto: z.string().nullable(),
  /** Why it cannot be `stonith`; null if it can. */
  whyNotStonith: z.string().nullable(),
})
export type ServerFailover = z.infer<typeof ServerFailover>

/** Whether a server was brought back on another machine lately, as people who use it should know. */
export const ServerReturn = z.object({
  returned: z
    .object({
      /** When its machine was given up. */
      at: z.iso.datetime(),
      /** What changed after that is lost; null: all its files are there. */
      filesOf: z.iso.datetime().nullable(),
    })
    .nullable(),
})
export type ServerReturn = z.infer<typeof ServerReturn>

/** The newest complete backup of a server that outlives its node. */
const Survivor = z.object({
  id: z.uuid(),
  name: z.string(),
  /** What changed since then is lost. */
  createdAt: z.iso.datetime(),
  sizeBytes: z.number(),
  /** The node that keeps it; null: a bucket. */
  keptOn: z.string().nullable(),
})

export const PlannedServer = z.object({
  serverId: z.uuid(),
  serverName: z.string(),
  kind: z.enum(['container', 'vm']),
  owner: z.string(),
  memoryMb: z.int(),
  diskMb: z.int(),
  /** It is started once it has its files. */
  starts: z.boolean(),
  /** Why it is not started, though its owner wants it on; null otherwise. */
  staysOff: z.string().nullable(),
  /** Null: there is none that outlives the node, or none is needed. */
  backup: Survivor.nullable(),
  /** The shared storage that has its files, so that nothing of them is lost; null: its node's disk. */
  storage: z.string().nullable(),
  target: z.object({ nodeId: z.uuid(), nodeName: z.string(), location: z.string() }).nullable(),
  /** Why it is not restored; null if it is. */
  why: z.string().nullable(),
  failover: ServerFailover,
})
export type PlannedServer = z.infer<typeof PlannedServer>

export const FailoverPlan = z.object({
  node: z.object({
    id: z.uuid(),
    name: z.string(),
    location: z.string(),
    state: NodeState,
    lastSeenAt: z.iso.datetime().nullable(),
  }),
  /** Why it cannot be run now; null if it can. */
  whyNot: z.string().nullable(),
  servers: z.array(PlannedServer),
  /** Servers of other nodes that are moving to it: their moves are given up, and they stay. */
  moves: z.array(z.object({ serverId: z.uuid(), serverName: z.string() })),
})
export type FailoverPlan = z.infer<typeof FailoverPlan>

export const ExtendLeases = z.strictObject({
  ttlSeconds: z
    .int()
    .min(LEAST_EXTENSION_SECONDS)
    .max(MOST_EXTENSION_SECONDS)
    .describe('how long leases are meanwhile; a node whose own are longer keeps them'),
  minutes: z.int().min(5).max(480).describe('after this long it ends by itself'),
})
export type ExtendLeases = z.infer<typeof ExtendLeases>

/** Leases that were made longer ahead of work on the control plane. */
export const LeaseExtension = z.object({
  ttlSeconds: z.number(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Nodes with servers that stop when the lease ends, and those of them that have a long lease by now. */
  nodes: z.int(),
  extended: z.int(),
  /** For how long every control plane may be away from now on; null: some node has no long lease yet. */
  mayBeAwaySeconds: z.int().nullable(),
})
export type LeaseExtension = z.infer<typeof LeaseExtension>

export const LeaseExtensionState = z.object({
  /** Null: leases are as each node has them. */
  extension: LeaseExtension.nullable(),
})
export type LeaseExtensionState = z.infer<typeof LeaseExtensionState>

const RunServer = z.object({
  serverId: z.uuid(),
  serverName: z.string(),
  state: z.enum(['waiting', 'restored', 'failed']),
  target: z.string(),
  /** What changed after that is lost; null: nothing is. */
  backupAt: z.iso.datetime().nullable(),
  /** The shared storage that had its files all the time; null: they came from a backup. */
  storage: z.string().nullable(),
  jobId: z.uuid().nullable(),
  /** Why it was not restored, or what became of its start. */
  detail: z.string().nullable(),
})

export const FailoverRun = z.object({
  id: z.uuid(),
  /** Null once the node was removed. */
  nodeId: z.uuid().nullable(),
  nodeName: z.string(),
  jobId: z.uuid().nullable(),
  startedBy: z.string().nullable(),
  /** Begun after a takeover, not by a person. */
  automatic: z.boolean(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  servers: z.array(RunServer),
})
export type FailoverRun = z.infer<typeof FailoverRun>

export const FailoverStatus = z.object({
  /** Why nothing is taken over by itself at present; null: nothing stands against it. */
  stoppedBecause: z.string().nullable(),
  /** Leases that are longer ahead of work on the control plane; null: they are as each node has them. */
  extension: LeaseExtension.nullable(),
  nodes: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      location: z.string(),
      state: NodeState,
      lastSeenAt: z.iso.datetime().nullable(),
      servers: z.int(),
      /** Servers whose files lie on a shared storage, of which nothing is lost. */
      shared: z.int(),
      /** What their nodes call these storages. */
      storages: z.array(z.string()),
      /** Of the others, servers without a backup that outlives the node. */
      unprotected: z.int(),
      /** Of the newest backups that outlive it, the oldest. */
      oldestAt: z.iso.datetime().nullable(),
      ...NodeFailover.shape,
    }),
  ),
  /** The latest, newest first. */
  runs: z.array(FailoverRun),
  /** What lost nodes have of servers that are elsewhere. */
  copies: z.array(
    z.object({
      serverId: z.uuid(),
      serverName: z.string(),
      nodeId: z.uuid(),
      nodeName: z.string(),
      /** Of a move that was given up: deleted as soon as the node is back. */
      partial: z.boolean(),
      supersededAt: z.iso.datetime(),
      /** When the node came back, and stopped it for good; null while it has not. */
      stoppedAt: z.iso.datetime().nullable(),
      deletedAt: z.iso.datetime().nullable(),
      /** That its node could not stop or delete it, how often, and when it tries again. */
      failed: z.object({ detail: z.string(), tries: z.int(), tryAt: z.iso.datetime() }).nullable(),
    }),
  ),
  /** What changes of storage have left on nodes, which delete it. */
  storageCopies: z.array(
    z.object({
      serverId: z.uuid(),
      /** Null once the server is deleted. */
      serverName: z.string().nullable(),
      nodeId: z.uuid(),
      nodeName: z.string(),
      isOnline: z.boolean(),
      /** Where it lies: null for the disk of the node; no node has a storage without a name now. */
      storage: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
      /** It has nothing newer. */
      since: z.iso.datetime(),
      /** It is newer than what its server took instead, so it stays for a while. */
      keptUntil: z.iso.datetime().nullable(),
      failed: z.object({ detail: z.string(), tries: z.int(), tryAt: z.iso.datetime() }).nullable(),
    }),
  ),
})
export type FailoverStatus = z.infer<typeof FailoverStatus>
