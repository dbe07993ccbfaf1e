import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** Writes one new file, so that it disturbs no other work on the files. */
const addsFile = { ...jobKindOf(true), long: true, writesFiles: true } as const
const changesFiles = { ...addsFile, concurrencyGroup: 'files' } as const

/** The files of servers. */
export const files = declare({
  problems: {
    invalid_path: { status: 400, title: 'The path is not valid' },
    invalid_archive: { status: 400, title: 'The archive cannot be extracted' },
    file_forbidden: { status: 403, title: 'This file is closed to you' },
    file_not_found: { status: 404, title: 'There is no such file' },
    file_exists: { status: 409, title: 'A file with this name exists already' },
    not_a_folder: { status: 409, title: 'It is not a folder' },
    is_a_folder: { status: 409, title: 'It is a folder' },
    folder_not_empty: { status: 409, title: 'The folder is not empty' },
    too_large_for_bin: { status: 409, title: 'The bin has no room for this' },
    wrong_offset: { status: 409, title: 'The upload has another position' },
    file_changed: { status: 412, title: 'The file has changed meanwhile' },
    upload_version_unsupported: { status: 412, title: 'Uploads speak tus 1.0.0' },
    file_too_large: { status: 413, title: 'The file is too large' },
    invalid_range: { status: 416, title: 'The file has no such part' },
    too_many_transfers: { status: 429, title: 'Too many transfers at once' },
    disk_full: { status: 507, title: 'The disk of the server is full' },
  },
  jobKinds: {
    'files.archive': addsFile,
    'files.pull': addsFile,
    'files.copy': changesFiles,
    'files.delete': changesFiles,
    'files.extract': changesFiles,
  },
})
