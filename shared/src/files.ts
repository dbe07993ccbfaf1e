import { z } from 'zod'
import { FileRules } from './file-rules.ts'

/**
 * The file service of a node: HTTP/1.1 over a relay of kind `files`, spoken by the control plane to
 * the helper process of one server. Every path is absolute within the server.
 */

/** Uploads in progress, temporary and deleted files, at the root of a server's data: no path leads there. */
export const HIDDEN_FOLDER = '.lodge'
export const MAX_LIST = 1_000
/** Larger files are copied by a task. */
export const MAX_COPY_BYTES = 64 * 1024 * 1024
export const UPLOAD_DAYS = 7
export const SEARCH_SECONDS = 30

const MAX_PATH_BYTES = 4_095
const MAX_NAME_BYTES = 255

/** Absolute within the server and normalised: no `.`, `..`, double slash or slash at the end. */
export const FilePath = z
  .string()
  .regex(/^\//, 'must begin with a slash')
  .refine(isFilePath, 'must be an absolute path without . and ..')

function isFilePath(path: string): boolean {
  if (path === '/') return true
  if (!path.startsWith('/') || path.includes('\0') || bytes(path) > MAX_PATH_BYTES) return false
  if (!path.isWellFormed()) return false
  return path
    .slice(1)
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && bytes(name) <= MAX_NAME_BYTES)
}

const encoder = new TextEncoder()
const bytes = (text: string) => encoder.encode(text).length

/** What the caller may do beside the rules: `x-lodge-may`, separated by commas. */
export const FILE_RIGHTS = ['read', 'write', 'delete'] as const
export const FileRight = z.enum(FILE_RIGHTS)
export type FileRight = z.infer<typeof FileRight>

export const RULES_HEADER = 'x-lodge-rules'
export const MAY_HEADER = 'x-lodge-may'
/** Where the bytes of `PATCH /v1/uploads/<id>` begin. */
export const OFFSET_HEADER = 'x-offset'

/** The headers that every request carries. A header holds no other characters than ASCII. */
export const fileHeaders = (rules: FileRules, may: readonly FileRight[]) => ({
  [RULES_HEADER]: JSON.stringify(rules).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
  [MAY_HEADER]: may.join(','),
})

/** A request with this upgrade goes on as SFTP version 3, with the rights and rules of its headers. */
export const SFTP_PATH = '/v1/sftp'
export const SFTP_PROTOCOL = 'lodge-sftp'

export const FILE_KINDS = ['file', 'folder', 'link', 'other'] as const
export const FileKind = z.enum(FILE_KINDS)
export type FileKind = z.infer<typeof FileKind>

export const FileMode = z.string().regex(/^[0-7]{3,4}$/, 'must be an octal mode such as 644')

export const Entry = z.strictObject({
  /** `/` for the root. */
  name: z.string(),
  path: z.string(),
  kind: FileKind,
  sizeBytes: z.int().min(0),
  modifiedAt: z.iso.datetime(),
  /** Octal permissions, such as `0644`. */
  mode: FileMode,
  /** Without the quotation marks that the headers `ETag` and `If-Match` add. */
  etag: z.string().regex(/^[0-9a-z.-]{1,120}$/),
  /** Where a link leads, as it is written. */
  target: z.string().optional(),
  /** Absent for a link that leads nowhere or out of the server. */
  targetKind: FileKind.optional(),
})
export type Entry = z.infer<typeof Entry>

export const FileList = z.strictObject({
  folder: Entry,
  items: z.array(Entry),
  nextAfter: z.string().nullable(),
})
export type FileList = z.infer<typeof FileList>

export const FileUsage = z.strictObject({
  usedBytes: z.int().min(0).nullable(),
  limitBytes: z.int().min(0).nullable(),
  /** Of `usedBytes`, what the bin keeps; absent where the node keeps no deleted files. */
  binBytes: z.int().min(0).optional(),
})
export type FileUsage = z.infer<typeof FileUsage>

/** Measuring what takes the space of a folder ends after this long, with what it has seen. */
export const SPACE_SECONDS = 20
/** As many entries of the folder, and as many files below it, are named. */
export const SPACE_ITEMS = 200
export const SPACE_FILES = 50

/** What takes the space of a folder: room on the disk, so a file with two names counts once. */
export const FileSpace = z.strictObject({
  bytes: z.int().min(0),
  /** The largest first. Those of folders are of all that is in them. */
  items: z.array(z.strictObject({ entry: Entry, bytes: z.int().min(0) })).max(SPACE_ITEMS),
  /** What is not among `items`, because it is smaller. */
  others: z.strictObject({ count: z.int().min(0), bytes: z.int().min(0) }),
  /** The largest ones at any depth, the largest first. */
  files: z.array(z.strictObject({ entry: Entry, bytes: z.int().min(0) })).max(SPACE_FILES),
  /** The time was over before all was seen: each number may be too low. */
  truncated: z.boolean(),
})
export type FileSpace = z.infer<typeof FileSpace>

const paths = z.array(FilePath).min(1).max(1_000)
const moves = z
  .array(z.strictObject({ from: FilePath, to: FilePath }))
  .min(1)
  .max(1_000)

/** `POST /v1/do`: work of at most some seconds. Missing folders above a target are made. */
export const FileDo = z.discriminatedUnion('do', [
  /** Does nothing to a folder that exists. */
  z.strictObject({ do: z.literal('mkdir'), path: FilePath }),
  z.strictObject({ do: z.literal('rename'), moves, replace: z.boolean() }),
  z.strictObject({ do: z.literal('chmod'), paths, mode: FileMode }),
  z.strictObject({ do: z.literal('delete'), paths }),
  /** One file of at most `MAX_COPY_BYTES`. */
  z.strictObject({ do: z.literal('copy'), from: FilePath, to: FilePath, replace: z.boolean() }),
])
export type FileDo = z.infer<typeof FileDo>
/** The entries as they are now; none for those deleted. */
export const FileDone = z.strictObject({ items: z.array(Entry) })
export type FileDone = z.infer<typeof FileDone>

export const uploadId = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/)
export const UploadStart = z.strictObject({
  path: FilePath,
  sizeBytes: z.int().min(0),
  /** The time that the complete file gets, and part of what identifies an unfinished upload. */
  modifiedAt: z.iso.datetime().optional(),
  replace: z.boolean(),
})
export type UploadStart = z.infer<typeof UploadStart>
export const UploadStarted = z.strictObject({ uploadId, offsetBytes: z.int().min(0) })
export type UploadStarted = z.infer<typeof UploadStarted>
export const UploadState = z.strictObject({
  offsetBytes: z.int().min(0),
  sizeBytes: z.int().min(0),
  path: z.string(),
})
export type UploadState = z.infer<typeof UploadState>
/** With the entry once the upload is complete. An empty file is complete after an empty part. */
export const UploadPart = z.strictObject({
  offsetBytes: z.int().min(0),
  entry: Entry.optional(),
})
export type UploadPart = z.infer<typeof UploadPart>

export const ARCHIVE_FORMATS = ['tar.gz', 'tar.zst', 'zip'] as const
export const ArchiveFormat = z.enum(ARCHIVE_FORMATS)
export type ArchiveFormat = z.infer<typeof ArchiveFormat>

export const FileSearch = z
  .strictObject({
    path: FilePath,
    /** Part of a name, or a pattern with `*` and `?` for a whole one. */
    name: z.string().min(1).max(255).optional(),
    /** Text within a line. */
    content: z.string().min(1).max(1_000).optional(),
    caseSensitive: z.boolean().default(false),
    limit: z.int().min(1).max(10_000).default(1_000),
  })
  .refine(({ name, content }) => name !== undefined || content !== undefined, 'must name or quote')
export type FileSearch = z.infer<typeof FileSearch>
/** One line of the answer of `POST /v1/search`. The last one has `done`. */
export const SearchLine = z.union([
  z.strictObject({ entry: Entry, line: z.int().min(1).optional(), text: z.string().optional() }),
  z.strictObject({ done: z.literal(true), truncated: z.boolean() }),
])
export type SearchLine = z.infer<typeof SearchLine>

const rights = { rules: FileRules, may: z.array(FileRight) }
/** Leaves out paths that do not exist, instead of refusing all. */
const skipMissing = z.boolean().optional()

/** Long work, sent to the node as a task. The same task id never has two effects. */
export const FileWork = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('archive'),
    paths,
    to: FilePath,
    format: ArchiveFormat,
    replace: z.boolean(),
    skipMissing,
    ...rights,
  }),
  z.strictObject({
    do: z.literal('extract'),
    path: FilePath,
    /** A folder, made if it is missing. */
    to: FilePath,
    replace: z.boolean(),
    ...rights,
  }),
  z.strictObject({ do: z.literal('copy'), moves, replace: z.boolean(), ...rights }),
  z.strictObject({ do: z.literal('delete'), paths, skipMissing, ...rights }),
  z.strictObject({
    do: z.literal('pull'),
    url: z.url({ protocol: /^https?$/ }).max(2_048),
    to: FilePath,
    replace: z.boolean(),
    maxBytes: z.int().min(1),
    ...rights,
  }),
])
export type FileWork = z.infer<typeof FileWork>

export const MAX_SKIPPED = 100
export const FileWorkDone = z.strictObject({
  entries: z.int().min(0),
  bytes: z.int().min(0),
  /** What was left out and why, at most `MAX_SKIPPED` of them. */
  skipped: z.array(z.strictObject({ path: z.string(), why: z.string() })).max(MAX_SKIPPED),
  skippedCount: z.int().min(0),
})
export type FileWorkDone = z.infer<typeof FileWorkDone>

/** Every refusal of the file service, with the status of its answer. */
export const FILE_ERRORS = {
  file_not_found: 404,
  file_exists: 409,
  not_a_folder: 409,
  is_a_folder: 409,
  folder_not_empty: 409,
  /** Another part of the upload arrived first: the answer carries `offsetBytes`. */
  wrong_offset: 409,
  file_forbidden: 403,
  file_changed: 412,
  file_too_large: 413,
  /** Only of deleting: nothing was deleted. */
  too_large_for_bin: 409,
  invalid_range: 416,
  disk_full: 507,
  invalid_path: 400,
  invalid_archive: 400,
  invalid_file_request: 400,
  /** Only of tasks: the address does not answer, or is not allowed. */
  pull_failed: 502,
  file_service_failed: 500,
} as const satisfies Readonly<Record<string, number>>
export type FileErrorCode = keyof typeof FILE_ERRORS
export const FILE_ERROR_CODES = Object.keys(FILE_ERRORS) as readonly FileErrorCode[]
export const FileProblem = z.object({
  code: z.enum(Object.keys(FILE_ERRORS) as [FileErrorCode, ...FileErrorCode[]]),
  detail: z.string(),
  offsetBytes: z.int().min(0).optional(),
})
export type FileProblem = z.infer<typeof FileProblem>
