import { errorCode } from '@lodge/shared/error-code.ts'
import { FILE_ERRORS, type FileErrorCode } from '@lodge/shared/files.ts'

/** A refusal of the file service; `message` suits the server's owner. */
export class FileRefusal extends Error {
  readonly code: FileErrorCode
  /** What the answer says besides, such as the offset that an upload has reached. */
  readonly facts: Readonly<Record<string, number>>
  constructor(
    code: FileErrorCode,
    message: string,
    options: { cause?: unknown; facts?: Readonly<Record<string, number>> } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'FileRefusal'
    this.code = code
    this.facts = options.facts ?? {}
  }

  get status(): number {
    return FILE_ERRORS[this.code]
  }
}

const BY_ERRNO: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ['file_not_found', 'There is no such file.'],
  EEXIST: ['file_exists', 'There is already something with this name.'],
  ENOTDIR: ['not_a_folder', 'A part of the path is not a folder.'],
  EISDIR: ['is_a_folder', 'This is a folder, not a file.'],
  ENOTEMPTY: ['folder_not_empty', 'The folder is not empty.'],
  EACCES: ['file_forbidden', 'The permissions of the file do not allow this.'],
  EPERM: ['file_forbidden', 'The permissions of the file do not allow this.'],
  EROFS: ['file_forbidden', 'The files cannot be changed at the moment.'],
  ELOOP: ['file_forbidden', 'The path leads through a link that cannot be followed.'],
  // What openat2 says when a link leads out of the folder.
  EXDEV: ['file_forbidden', 'The path leads out of the server.'],
  ENXIO: ['file_forbidden', 'This is neither a file nor a folder.'],
  ENOSPC: ['disk_full', 'There is not enough room left on the disk of the server.'],
  EDQUOT: ['disk_full', 'There is not enough room left on the disk of the server.'],
  EFBIG: ['file_too_large', 'The file would be too large.'],
  ENAMETOOLONG: ['invalid_path', 'The name is too long.'],
  EINVAL: ['invalid_path', 'The path is not possible.'],
}

/** Turns any error into a refusal; an unknown one becomes a failure of the service itself. */
export function refusalOf(error: unknown): FileRefusal {
  if (error instanceof FileRefusal) return error
  const known = BY_ERRNO[errorCode(error) ?? '']
  if (known) return new FileRefusal(known[0], known[1], { cause: error })
  return new FileRefusal('file_service_failed', 'The node could not do this.', { cause: error })
}
