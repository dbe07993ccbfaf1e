import { z } from 'zod'
import { BucketView, EditBucket, StoredBucket } from './bucket.ts'
import { FilePath, HIDDEN_FOLDER } from './files.ts'
import { IgnoreList } from './ignored-files.ts'
import { JobAccepted } from './jobs.ts'
import { label } from './vms.ts'

/** API schemas of the backups of servers. */

export const BACKUP_STATES = ['creating', 'good', 'failed', 'deleting'] as const
export const BackupState = z.enum(BACKUP_STATES)
export type BackupState = z.infer<typeof BackupState>

/** Where backups are kept: on the server's node, on another node, or in an S3 bucket. */
export const BACKUP_PLACES = ['node', 'other-node', 's3'] as const
export const BackupPlace = z.enum(BACKUP_PLACES)
export type BackupPlace = z.infer<typeof BackupPlace>

export const Backup = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  name: z.string(),
  state: BackupState,
  /** A locked backup is neither deleted nor rotated away. */
  locked: z.boolean(),
  /** Made by a schedule; only these are rotated away. */
  scheduled: z.boolean(),
  /** Made by the host against the loss of a node; counts for no limit, and only the host changes it. */
  byHost: z.boolean(),
  place: BackupPlace,
  /** The other node that keeps it. */
  keptOnNode: z.string().nullable(),
  /** Size of the files when restored, which is what limits count; while it is made, the estimate. */
  sizeBytes: z.number().nullable(),
  /** What it added to the repository, compressed; null until it is complete. */
  storedBytes: z.number().nullable(),
  fileCount: z.int().nullable(),
  /** The server ran and its files could change meanwhile; null until it is complete. */
  takenWhileRunning: z.boolean().nullable(),
  /** Patterns of files that it leaves out, and that its restore does not touch. */
  ignored: z.array(z.string()),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  /** Who made it; null for a schedule. */
  createdBy: z.string().nullable(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
  /** When all of it was last read back; null if it never was. */
  verifiedAt: z.iso.datetime().nullable(),
  /** What reading it back found last; null if it was whole or never read. */
  damaged: z.object({ at: z.iso.datetime(), detail: z.string() }).nullable(),
})
export type Backup = z.infer<typeof Backup>

/** What backups of a server leave out from now on. */
export const IgnoredFiles = z.object({
  patterns: z.array(z.string()),
  byServer: z.boolean().describe('chosen for this server; otherwise as its template says'),
  template: z.array(z.string()).describe('what its template says'),
})
export type IgnoredFiles = z.infer<typeof IgnoredFiles>

export const EditIgnored = z.strictObject({
  patterns: IgnoreList.nullable().describe('null: what the template of the server says'),
})
export type EditIgnored = z.infer<typeof EditIgnored>

/** What a list of backups says about the server and its owner; maxima are null for unlimited. */
export const BackupStanding = z.object({
  place: BackupPlace,
  /** The other node that keeps the next ones. */
  keptOnNode: z.string().nullable(),
  /** When the newest complete backup off the server's node was begun; null if there is none. */
  safeAt: z.iso.datetime().nullable(),
  used: z.object({ serverBackups: z.int(), backups: z.int(), storageMb: z.int() }),
  max: z.object({
    serverBackups: z.int().nullable(),
    backups: z.int().nullable(),
    storageMb: z.int().nullable(),
  }),
  ignored: IgnoredFiles,
  /** Why the caller cannot do this now, in words; null if they can. */
  whyNot: z.object({
    create: z.string().nullable(),
    ignore: z.string().nullable(),
    browse: z.string().nullable(),
    restore: z.string().nullable(),
    /** Also while the server's own node is away. */
    restoreElsewhere: z.string().nullable(),
    download: z.string().nullable(),
    verify: z.string().nullable(),
  }),
  /** How many scheduled backups are kept that nobody locked. */
  keepScheduled: z.int(),
  /** The data from before the last restore, kept until a start has proven the restored data. */
  former: z
    .object({ restoredAt: z.iso.datetime(), keptUntil: z.iso.datetime(), backupId: z.uuid() })
    .nullable(),
})
export type BackupStanding = z.infer<typeof BackupStanding>

export const CreateBackup = z.strictObject({
  name: label.optional().describe('otherwise named after the time'),
  locked: z.boolean().optional(),
  ignore: IgnoreList.optional().describe(
    'what it leaves out; otherwise what is set for the server',
  ),
})
export type CreateBackup = z.infer<typeof CreateBackup>

export const EditBackup = z.strictObject({
  name: label.optional(),
  locked: z.boolean().optional(),
})
export type EditBackup = z.infer<typeof EditBackup>

export const BackupEntry = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  sizeBytes: z.number(),
  modifiedAt: z.iso.datetime(),
  /** Octal, such as `644`. */
  mode: z.string(),
})
export type BackupEntry = z.infer<typeof BackupEntry>

/** Folders first, then by name. */
export const BackupFolder = z.object({
  path: z.string(),
  items: z.array(BackupEntry),
  /** More entries than one answer can have; only the first are here. */
  truncated: z.boolean(),
})
export type BackupFolder = z.infer<typeof BackupFolder>

export const RestoreFiles = z.strictObject({
  paths: z.array(FilePath).min(1).max(100),
  into: FilePath.refine(
    (path) => path.split('/')[1] !== HIDDEN_FOLDER,
    `must not be in /${HIDDEN_FOLDER}, which nobody sees`,
  )
    .optional()
    .describe('the folder they are put into; otherwise their own places, replacing what is there'),
  keepReplaced: z
    .boolean()
    .optional()
    .describe('moves files that they replace to a new folder of the server instead of losing them'),
  confirm: z.boolean().optional(),
})
export type RestoreFiles = z.infer<typeof RestoreFiles>

export const RestoringFiles = JobAccepted.extend({
  keptIn: z
    .string()
    .nullable()
    .describe('the folder for files that are replaced; without any, it is not made'),
})
export type RestoringFiles = z.infer<typeof RestoringFiles>

/** Of restores that replace everything a server has. */
export const BackUpFirst = z
  .boolean()
  .optional()
  .describe(
    'makes a backup of what the server has now, checks it, and restores only then; it counts for the limits and stays',
  )

export const RestoreToServer = z.strictObject({
  serverId: z.uuid().describe("another server of the same owner's, whose files are replaced"),
  backUpFirst: BackUpFirst,
  confirm: z.boolean().optional(),
})
export type RestoreToServer = z.infer<typeof RestoreToServer>

export const DOWNLOAD_FORMATS = ['tar.zst', 'tar.gz', 'tar'] as const
export const DownloadBackup = z.object({
  format: z.enum(DOWNLOAD_FORMATS).default('tar.gz'),
  path: FilePath.default('/'),
})

/** What the loss or removal of a node means for backups. */
export const NodeBackups = z.object({
  /** Backups of servers of other nodes, or that moved away, which exist on this node only. */
  kept: z.object({ backups: z.int(), servers: z.int(), storedBytes: z.number() }),
  /** What its own servers would lose, the worst first. */
  servers: z.object({
    total: z.int(),
    /** Nothing of these is off the node. */
    without: z.int(),
    /** Of the worst other one. */
    oldestAt: z.iso.datetime().nullable(),
    items: z.array(
      z.object({ id: z.uuid(), name: z.string(), safeAt: z.iso.datetime().nullable() }),
    ),
  }),
  /** What the host keeps of them by itself, which no customer's limit counts. */
  byHost: z.object({ backups: z.int(), storedBytes: z.number() }),
  /** How the host backs them up by itself; null if it does not. */
  protection: z.object({ everyHours: z.int(), keep: z.int() }).nullable(),
  /** Why it cannot now, in words. */
  whyNot: z.string().nullable(),
})
export type NodeBackups = z.infer<typeof NodeBackups>

/** How often the panel reads each backup back by itself. */
export const VERIFY_INTERVALS = ['off', 'weekly', 'monthly'] as const
const verify = z.enum(VERIFY_INTERVALS)

const shared = {
  place: BackupPlace,
  /** Whether owners and collaborators may download backups; the host always may. */
  downloads: z.boolean(),
  /** How many scheduled backups of a server are kept that nobody locked. */
  keepScheduled: z.int().min(1).max(1000),
}

/** What keeps backups of other nodes; the second one keeps those of the first one's own servers. */
const storageNodeIds = z
  .array(z.uuid())
  .max(2)
  .refine((ids) => new Set(ids).size === ids.length, 'must be two different nodes')

/** Backups of every server by the host, off its node, so that they survive the loss of the node. */
export const NodeLossProtection = z.strictObject({
  place: BackupPlace.exclude(['node']),
  everyHours: z.int().min(1).max(168),
  /** How many of each server. */
  keep: z.int().min(1).max(100),
  /** Only of servers on these nodes; null: on all. */
  nodeIds: z.array(z.uuid()).min(1).max(1000).nullable(),
})
export type NodeLossProtection = z.infer<typeof NodeLossProtection>

/** The readable form: whether the secret key is set, never its value. */
export const BackupSettingsView = z.object({
  ...shared,
  storageNodeIds: z.array(z.uuid()),
  protection: NodeLossProtection.nullable(),
  verify,
  s3: BucketView.nullable(),
})
export type BackupSettingsView = z.infer<typeof BackupSettingsView>

/** The stored form; the secret key is encrypted. */
export const StoredBackupSettings = z.strictObject({
  ...shared,
  storageNodeIds: storageNodeIds.default([]),
  protection: NodeLossProtection.nullable().default(null),
  verify: verify.default('monthly'),
  s3: StoredBucket.nullable(),
})
export type StoredBackupSettings = z.infer<typeof StoredBackupSettings>

export const EditBackupSettings = z
  .strictObject({
    ...shared,
    storageNodeIds: storageNodeIds.default([]),
    protection: NodeLossProtection.nullable().default(null),
    verify: verify.default('monthly'),
    s3: EditBucket.nullable(),
  })
  .refine(({ place, s3 }) => place !== 's3' || s3 !== null, {
    path: ['s3'],
    message: 'has to say where the bucket is',
  })
  .refine(({ place, storageNodeIds }) => place !== 'other-node' || storageNodeIds.length > 0, {
    path: ['storageNodeIds'],
    message: 'has to name a node',
  })
  .refine(({ protection, s3 }) => protection?.place !== 's3' || s3 !== null, {
    path: ['s3'],
    message: 'has to say where the bucket is',
  })
  .refine(
    ({ protection, storageNodeIds }) =>
      protection?.place !== 'other-node' || storageNodeIds.length > 0,
    { path: ['storageNodeIds'], message: 'has to name a node' },
  )
export type EditBackupSettings = z.infer<typeof EditBackupSettings>
