import { z } from 'zod'
import { ContainerSpec } from './container-spec.ts'
import { DirectHost } from './direct-transfers.ts'
import { IgnoreList } from './ignored-files.ts'
import { MachineSpec } from './machine-spec.ts'

/** Documents of the fleet protocol: what a node does with the backups of a server. */

/** Where encrypted copies are kept, and what opens them. Never stored or logged by a node. */
export const BackupRepository = z.strictObject({
  id: z.uuid(),
  password: z.string().min(16).max(200),
  location: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('node') }),
    z.strictObject({
      kind: z.literal('s3'),
      endpoint: z.string().max(500),
      bucket: z.string().max(63),
      /** Folder of this repository in the bucket. */
      folder: z.string().max(300),
      region: z.string().max(64),
      accessKeyId: z.string().max(200),
      secretAccessKey: z.string().max(500),
    }),
    /** On this node, which keeps it for another; it can only be read. */
    z.strictObject({ kind: z.literal('kept-here') }),
    /** On another node, at the other end of a relay, which is dialled once. */
    z.strictObject({
      kind: z.literal('other-node'),
      sessionId: z.uuid(),
      ticket: z.string().max(200),
      address: z.string().max(300),
      /** The way past the control plane, tried first; only for agents that say they know it. */
      direct: DirectHost.optional(),
    }),
  ]),
})
export type BackupRepository = z.infer<typeof BackupRepository>

/**
 * What the other end of a relay may do with a repository that a node keeps for others: read it, also
 * add to it, or also delete from it.
 */
export const STORAGE_ACCESS = ['read', 'append', 'delete'] as const
export type StorageAccess = (typeof STORAGE_ACCESS)[number]
const STORAGE = 'storage-'
/** The kind of the relay, whose server is the repository. */
export const storageKind = (access: StorageAccess): string => `${STORAGE}${access}`
/** Undefined for relays of other kinds. */
export const storageAccessOf = (kind: string): StorageAccess | undefined =>
  STORAGE_ACCESS.find((access) => kind === storageKind(access))

const command = z.string().min(1).max(1024)
/** Typed into the console around a backup, so that the files on disk are complete and quiet. */
export const BackupCommands = z.strictObject({
  before: z.array(command).max(5),
  /** Typed in any case once anything of `before` was. */
  after: z.array(command).max(5),
  /** How long the program gets to write everything out after `before`. */
  settleSeconds: z.int().min(0).max(60).default(2),
})
export type BackupCommands = z.infer<typeof BackupCommands>

const snapshotId = z.string().regex(/^[0-9a-f]{8,64}$/)
const restoreId = z.uuid()
const placementGeneration = z.int().min(0)
/** A shared storage; null: the node's own disk. */
const storage = z.uuid().nullable()
const paths = z.array(z.string().min(1).max(4096)).min(1).max(100)

export const BackupWork = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('create'),
    repository: BackupRepository,
    backupId: z.uuid(),
    commands: BackupCommands.optional(),
    /** Ends whoever works with the files first, since what they write later would be lost. */
    alone: z.boolean().optional(),
    /** For agents with the capability `agent.backup-ignore`. */
    ignored: IgnoreList.optional(),
  }),
  /** Reads a whole backup back, for agents with the capability `agent.backup-verify`. */
  z.strictObject({
    do: z.literal('verify'),
    repository: BackupRepository,
    snapshotId,
    sizeBytes: z.int().min(0),
  }),
  /** Restores beside the server's data and verifies it; nothing of the server changes. */
  z.strictObject({
    do: z.literal('stage'),
    repository: BackupRepository,
    snapshotId,
    restoreId,
    sizeBytes: z.int().min(0),
  }),
  /** Puts what was staged in the place of a stopped server's data, which is kept. */
  z.strictObject({ do: z.literal('swap'), restoreId }),
  z.strictObject({ do: z.literal('swap-back'), restoreId }),
  /** Deletes what is not in place: staged data, or the data from before a swap. */
  z.strictObject({ do: z.literal('settle'), restoreId }),
  /** Puts single paths back, while the server may run. */
  z.strictObject({
    do: z.literal('restore-files'),
    repository: BackupRepository,
    snapshotId,
    restoreId,
    paths,
    into: z.string().max(4096).nullable(),
    /**
     * The folder that what they replace is put into; for agents with the capability
     * `agent.backup-keeps-replaced`.
     */
    keep: z.string().min(2).max(4096).optional(),
    sizeBytes: z.int().min(0),
  }),
  z.strictObject({
    do: z.literal('list'),
    repository: BackupRepository,
    snapshotId,
    path: z.string().min(1).max(4096),
  }),
  z.strictObject({
    do: z.literal('forget'),
    repository: BackupRepository,
    backupIds: z.array(z.uuid()).min(1).max(500),
  }),
  /** Frees what no backup needs any more. */
  z.strictObject({ do: z.literal('prune'), repository: BackupRepository }),
  /** Deletes a repository that this node keeps for another, which takes no key. */
  z.strictObject({ do: z.literal('drop'), repositoryId: z.uuid() }),
  /** Makes folder, network and container of a server that another node still has. */
  z.strictObject({
    do: z.literal('make-place'),
    spec: ContainerSpec,
    placementGeneration,
    /** Its files come from elsewhere, also where it is to lie on a shared storage. */
    empty: z.literal(true).optional(),
  }),
  /** The same for a virtual machine, with empty disks. */
  z.strictObject({ do: z.literal('make-machine'), spec: MachineSpec, placementGeneration }),
  /** The files there are those of the server, which is not installed again. */
  z.strictObject({ do: z.literal('adopt'), placementGeneration }),
  /** Another node has the server since this one was declared dead: it is never started here again. */
  z.strictObject({ do: z.literal('supersede'), placementGeneration }),
  /** Deletes everything of a server that another node has. */
  z.strictObject({
    do: z.literal('discard'),
    placementGeneration,
    /** The shared storage whose files of the server go, too: the server lies elsewhere. */
    filesOn: z.uuid().optional(),
    /** It is a virtual machine. */
    machine: z.literal(true).optional(),
  }),
  /** Copies a stopped server beside its data to another storage of its node, or to the node's disk. */
  z.strictObject({ do: z.literal('copy-to-storage'), to: storage, placementGeneration }),
  /** Has a stopped server lie where its whole copy is; its former data are kept. */
  z.strictObject({ do: z.literal('change-storage'), to: storage }),
  /** Deletes a copy that is not the server, of one that has changed its storage or was to. */
  z.strictObject({
    do: z.literal('drop-copy'),
    on: storage,
    placementGeneration,
    /** Where the server lies, if it is on this node. */
    lies: storage.optional(),
    machine: z.literal(true).optional(),
  }),
])
export type BackupWork = z.infer<typeof BackupWork>

/** What a node is asked for over a relay of kind `backup`: a folder or file of a backup. */
export const ArchiveRequest = z.strictObject({
  repository: BackupRepository,
  snapshotId,
  path: z.string().min(1).max(4096),
  format: z.enum(['tar', 'tar.gz', 'tar.zst']),
})
export type ArchiveRequest = z.infer<typeof ArchiveRequest>

/** Why there is no archive. */
export const ArchiveRefusal = z.object({ code: z.string(), detail: z.string().max(2_000) })
export type ArchiveRefusal = z.infer<typeof ArchiveRefusal>

/** What `create` returns. */
export const MadeBackup = z.object({
  snapshotId,
  sizeBytes: z.int().min(0),
  /** Added to the repository, compressed. */
  storedBytes: z.int().min(0),
  fileCount: z.int().min(0),
  takenWhileRunning: z.boolean(),
})
export type MadeBackup = z.infer<typeof MadeBackup>

/** What `restore-files` returns. */
export const RestoredFiles = z.object({
  /** Files in the folder for what was replaced. */
  kept: z.int().min(0),
})
export type RestoredFiles = z.infer<typeof RestoredFiles>

/** How many entries of a folder `list` returns. */
export const LISTED_MAX = 2_000

/** What `list` returns; the names of entries that are no UTF-8 are shown with replacements. */
export const ListedFolder = z.object({
  items: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['file', 'folder', 'link', 'other']),
        sizeBytes: z.number().min(0),
        modifiedAt: z.string(),
        mode: z.string().regex(/^[0-7]{1,4}$/),
      }),
    )
    .max(LISTED_MAX),
  truncated: z.boolean(),
})
export type ListedFolder = z.infer<typeof ListedFolder>
