import { z } from 'zod'
import { Entry, FileKind, FilePath } from './files.ts'

// What the control plane asks of a server's file service about its bin: the files that were deleted
// and can be restored.

/** A single deleted entry, `<deletion>.<number>`, or with `<deletion>` all that one request deleted. */
export const DeletedId = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d{1,3})?$/, 'must be an id of the bin')

/** `POST /v1/bin` */
export const BinDelete = z.strictObject({
  paths: z.array(FilePath).min(1).max(1_000),
  /** Whoever deletes. */
  by: z.uuid().nullable(),
  /** How long the bin keeps it. */
  days: z.int().min(1).max(365),
  /** What to do when the bin has no room for it. */
  otherwise: z.enum(['refuse', 'delete']),
})
export type BinDelete = z.infer<typeof BinDelete>
/** Null when the files were deleted for good. */
export const BinDeleted = z.strictObject({ deletionId: z.uuid().nullable() })
export type BinDeleted = z.infer<typeof BinDeleted>

const Deleted = {
  id: DeletedId,
  /** Where it was. */
  path: z.string(),
  kind: FileKind,
  sizeBytes: z.int().min(0),
  deletedAt: z.iso.datetime(),
  /** When it is deleted for good, unless the room is needed before. */
  keptUntil: z.iso.datetime(),
}
/** `GET /v1/bin`, newest first. */
export const BinList = z.strictObject({
  items: z.array(z.strictObject({ ...Deleted, by: z.uuid().nullable() })),
  nextAfter: DeletedId.nullable(),
  /** Of everything in the bin. */
  usedBytes: z.int().min(0),
})
export type BinList = z.infer<typeof BinList>

/** `POST /v1/bin/restore` and `POST /v1/bin/delete` */
export const BinPick = z.strictObject({ ids: z.array(DeletedId).min(1).max(1_000) })
export type BinPick = z.infer<typeof BinPick>
export const BinRestored = z.strictObject({
  /** The entry as it is now: under another name when its own was taken. */
  items: z.array(z.strictObject({ path: z.string(), entry: Entry })),
})
export type BinRestored = z.infer<typeof BinRestored>
/** What `POST /v1/bin/delete` and `POST /v1/bin/empty` deleted for good. */
export const BinDropped = z.strictObject({ items: z.array(z.strictObject({ path: z.string() })) })
export type BinDropped = z.infer<typeof BinDropped>

/** `POST /v1/bin/sweep`: deletes what was kept long enough, and more until this much is free. */
export const BinSweep = z.strictObject({ needBytes: z.int().min(0) })

// What people and panels ask of the API.

export const ListDeleted = z.object({
  /** `nextAfter` of the page before. */
  after: DeletedId.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
})
export const DeletedFiles = z.object({
  items: z.array(
    z.object({
      ...Deleted,
      /** The address of the account; null when there is none any more. */
      deletedBy: z.string().nullable(),
    }),
  ),
  nextAfter: DeletedId.nullable(),
  usedBytes: z.int().min(0),
})
export type DeletedFiles = z.infer<typeof DeletedFiles>
export type DeletedFile = DeletedFiles['items'][number]
