import { z } from 'zod'
import { ARCHIVE_FORMATS, Entry, FileMode, FilePath, FileSearch, MAX_LIST } from './files.ts'

// What people and panels ask of the API; `files.ts` has what the API asks of a node.

export const ListFiles = z.object({
  path: FilePath.default('/'),
  /** `nextAfter` of the page before. */
  after: z.string().max(1_024).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_LIST).default(200),
})

export const FileAt = z.object({ path: FilePath })

export const SpaceOf = z.object({ path: FilePath.default('/') })

export const ReadFile = FileAt.extend({
  /**
   * To show it in the browser: pictures as they are, all else as plain text. Without it the browser
   * saves the file.
   */
  preview: z.enum(['true', 'false']).default('false'),
})

export const DownloadFiles = z.object({
  /** Repeated for several. */
  path: z.union([FilePath, z.array(FilePath).min(1).max(100)]),
  format: z.enum(ARCHIVE_FORMATS).default('zip'),
})

const paths = z.array(FilePath).min(1).max(1_000)
const pairs = z
  .array(z.strictObject({ from: FilePath, to: FilePath }))
  .min(1)
  .max(1_000)
/** Whether files that are in the way are replaced. */
const replace = z.boolean().default(false)

export const MakeFolder = z.strictObject({ path: FilePath })
/** Moves as well, to a path in another folder. */
export const RenameFiles = z.strictObject({ moves: pairs, replace })
export const CopyFiles = z.strictObject({ copies: pairs, replace })
export const DeleteFiles = z.strictObject({
  paths,
  /**
   * Whether the files are gone for good. With false they are deleted only if the bin has room for
   * them; left out, what it has no room for is gone for good.
   */
  permanent: z.boolean().optional(),
})
export const FilesDeleted = z.object({
  items: z.array(Entry),
  /** What restores all of them from the bin; null when they are gone for good. */
  deletionId: z.uuid().nullable(),
})
export type FilesDeleted = z.infer<typeof FilesDeleted>
export const ChangeFileModes = z.strictObject({ paths, mode: FileMode })
export const ArchiveFiles = z.strictObject({
  paths,
  /** The archive to write. */
  to: FilePath,
  format: z.enum(ARCHIVE_FORMATS).default('tar.gz'),
  replace,
})
export const ExtractArchive = z.strictObject({
  /** The archive: zip, 7z, tar, tar.gz or tar.zst. */
  path: FilePath,
  /** The folder to extract to, made if it is missing. */
  to: FilePath,
  replace,
})
export const PullFile = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  /** The file to write. */
  to: FilePath,
  replace,
})

export const SearchFiles = z
  .strictObject({
    ...FileSearch.shape,
    path: FilePath.default('/'),
    limit: z.int().min(1).max(1_000).default(200),
  })
  .refine(({ name, content }) => name !== undefined || content !== undefined, {
    path: ['name'],
    message: 'or content is required',
  })
export const FilesFound = z.object({
  items: z.array(
    z.object({
      entry: Entry,
      /** Where the text was found first, counted from 1. */
      line: z.int().optional(),
      text: z.string().optional(),
    }),
  ),
  /** There is more, or the time was over. */
  truncated: z.boolean(),
})
export type FilesFound = z.infer<typeof FilesFound>
