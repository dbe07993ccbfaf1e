import { z } from 'zod'
import { BucketView, EditBucket, StoredBucket } from './bucket.ts'
import { cronProblem } from './cron/expression.ts'
import { timeZone } from './time-zone.ts'

/** API schemas of the backups of the panel itself: its database, keys and files. */

/** Where they are kept: in a folder of the control plane's machine, or in an S3 bucket. */
export const PANEL_BACKUP_PLACES = ['folder', 's3'] as const

/** An absolute path that means the same on every reading. */
const folder = z
  .string()
  .trim()
  .max(1_000)
  .regex(/^(\/[^/\0]{1,255})+$/, 'must be a path like /mnt/backups, without a slash at the end')
  .refine((path) => !path.split('/').some((part) => part === '.' || part === '..'))

const cron = z
  .string()
  .trim()
  .max(100)
  .superRefine((text, context) => {
    const problem = cronProblem(text)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })

const shared = {
  /** When they are made; null: only when somebody asks. */
  schedule: z.strictObject({ cron, zone: timeZone }).nullable(),
  place: z.enum(PANEL_BACKUP_PLACES),
  folder: folder.nullable(),
  /** How many complete ones are kept at the present place. */
  keep: z.int().min(1).max(1_000),
  /** Whether the media of virtual machines are part of them. */
  media: z.boolean(),
}

export const EditPanelBackupSettings = z
  .strictObject({
    ...shared,
    s3: EditBucket.nullable(),
  })
  .refine(({ place, s3 }) => place !== 's3' || s3 !== null, {
    path: ['s3'],
    message: 'has to say where the bucket is',
  })
  .refine(({ place, folder, schedule }) => place !== 'folder' || folder || schedule === null, {
    path: ['folder'],
    message: 'has to say where scheduled backups go',
  })
export type EditPanelBackupSettings = z.infer<typeof EditPanelBackupSettings>

/** The readable form: whether secrets are set, never their values. */
export const PanelBackupSettings = z.object({
  schedule: z.object({ cron: z.string(), zone: z.string() }).nullable(),
  place: z.enum(PANEL_BACKUP_PLACES),
  folder: z.string().nullable(),
  keep: z.int(),
  media: z.boolean(),
  s3: BucketView.nullable(),
})
export type PanelBackupSettings = z.infer<typeof PanelBackupSettings>

/** The stored form; the secret key and the recovery key are encrypted. */
export const StoredPanelBackupSettings = z.strictObject({
  ...shared,
  s3: StoredBucket.nullable(),
  recoveryKey: z.string().nullable(),
  /** Whether somebody has looked at the recovery key, to write it down. */
  recoveryKeyShown: z.boolean(),
  /** When the schedule was last changed. */
  scheduledSince: z.iso.datetime().nullable(),
  /** When administrators were told that no backup succeeds any more. */
  toldOverdueAt: z.iso.datetime().nullable(),
})
export type StoredPanelBackupSettings = z.infer<typeof StoredPanelBackupSettings>

export const PanelBackup = z.object({
  id: z.uuid(),
  state: z.enum(['running', 'good', 'failed']),
  scheduled: z.boolean(),
  place: z.enum(PANEL_BACKUP_PLACES),
  /** The folder, or the bucket with its address. */
  address: z.string(),
  /** Identifies it for a restore. */
  snapshotId: z.string().nullable(),
  /** Size of everything in it when restored. */
  sizeBytes: z.number().nullable(),
  /** What it added to the place, compressed. */
  storedBytes: z.number().nullable(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  jobId: z.uuid().nullable(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
})
export type PanelBackup = z.infer<typeof PanelBackup>

/** The newest backups of the panel, and how it stands with them. */
export const PanelBackups = z.object({
  items: z.array(PanelBackup),
  /** When the newest complete one was made. */
  lastGoodAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable(),
  /** Two scheduled ones in a row are missing. */
  overdue: z.boolean(),
  /** The panel has a recovery key, and nobody has looked at it yet. */
  recoveryKeyUnseen: z.boolean(),
  /** Why none can be made now; null if one can. */
  whyNot: z.string().nullable(),
})
export type PanelBackups = z.infer<typeof PanelBackups>

export const RecoveryKey = z.object({ recoveryKey: z.string() })
