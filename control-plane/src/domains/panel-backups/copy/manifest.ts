import path from 'node:path'
import { z } from 'zod'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().regex(/^[A-Za-z0-9_]{1,63}$/)

/** The newest format of a copy that this version reads. */
export const FORMAT = 1

const CopiedTable = z.object({
  name,
  columns: z.array(name).min(1),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  sha256,
})
export type CopiedTable = z.infer<typeof CopiedTable>

const Partition = z.object({
  parent: name,
  name,
  from: z.string().max(64),
  to: z.string().max(64),
})
export type Partition = z.infer<typeof Partition>

/** The database of a copy, as of one snapshot. */
export const CopiedDatabase = z.object({
  /** Applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string().regex(/^\w{1,200}$/), hash: sha256 })).min(1),
  tables: z.array(CopiedTable),
  partitions: z.array(Partition),
  sequences: z.array(z.object({ name, value: z.int() })),
  /** The blobs that the database referred to. */
  blobs: z.array(sha256),
})
export type CopiedDatabase = z.infer<typeof CopiedDatabase>

const CopiedFile = z.object({
  /** Below the data folder. */
  path: z
    .string()
    .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/)
    .refine((text) => !text.split('/').some((part) => part === '.' || part === '..')),
  bytes: z.int().min(0),
  sha256,
})
export type CopiedFile = z.infer<typeof CopiedFile>

/** Whether a folder of a copy stays below the target folder. */
export const isPlain = (text: string): boolean =>
  path.posix.isAbsolute(text) && path.posix.normalize(text) === text

const folder = z.string().refine(isPlain)

/** Describes a copy; it is written last and read first. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  backupId: z.uuid(),
  createdAt: z.iso.datetime(),
  database: CopiedDatabase,
  files: z.array(CopiedFile),
  /** Folders in the copy; null where there is none. */
  blobs: folder.nullable(),
  media: folder.nullable(),
  /** The settings from the environment, for whoever sets up the new machine; null for secrets. */
  variables: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
})
export type Manifest = z.infer<typeof Manifest>
