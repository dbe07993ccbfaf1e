import path from 'node:path'
import { z } from 'zod'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const name = z.string().regex(/^[A-Za-z0-9_]{1,63}$/)

/** The newest layout of a copy that this version reads. */
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

/** The database of a copy, all of one moment. */
export const CopiedDatabase = z.object({
  /** Applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string().regex(/^\w{1,200}$/), hash: sha256 })).min(1),
  tables: z.array(CopiedTable),
  partitions: z.array(Partition),
  sequences: z.array(z.object({ name, value: z.int() })),
  /** The blobs that were kept at that moment. */
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

/** Whether a folder of a copy lies below the place where the copy is put. */
export const isPlain = (text: string): boolean =>
  path.posix.isAbsolute(text) && path.posix.normalize(text) === text

const folder = z.string().refine(isPlain)

/** Says what a copy contains; the last file that is written, and the first that is read. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  backupId: z.uuid(),
  createdAt: z.iso.datetime(),
  database: CopiedDatabase,
  files: z.array(CopiedFile),
  /** Folders in the copy; null where there is none. */
  blobs: folder.nullable(),
  media: folder.nullable(),
  /** What the environment set, for whoever builds the new machine; null for secrets. */
  variables: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
})
export type Manifest = z.infer<typeof Manifest>
