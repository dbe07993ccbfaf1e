import { Entry, FileDone } from '@lodge/shared/files.ts'
import { JobAccepted } from '@lodge/shared/jobs.ts'
import {
  ArchiveFiles,
  ChangeFileModes,
  CopyFiles,
  DeleteFiles,
  ExtractArchive,
  FileAt,
  FilesDeleted,
  MakeFolder,
  PullFile,
  RenameFiles,
} from '@lodge/shared/server-files.ts'
import { z } from 'zod'
import { post, put } from '../../../http/endpoint.ts'
import { streamBody } from '../../../http/raw-body.ts'
import { server } from '../../servers/index.ts'
import * as bin from '../bin.ts'
import * as change from '../change.ts'
import { MAX_FILE_BYTES } from '../limits.ts'
import * as work from '../work.ts'

const write = { who: 'user', on: server, may: 'files.write' } as const
/** The resulting files, or the job that continues larger work. */
const Changed = z.union([FileDone, JobAccepted])

export const writeServerFile = put('/api/servers/{id}/files/content', {
  summary: 'Replace or create a file; `If-Match` replaces only the version that was read',
  access: write,
  query: FileAt,
  body: streamBody({ maxBytes: MAX_FILE_BYTES, contentTypes: ['application/octet-stream'] }),
  reply: Entry,
  recorded: 'wrote {path} on {target}',
  handle: ({ ctx, server, query, body, http }) => change.write(ctx, server, query.path, body, http),
})

export const makeFolder = post('/api/servers/{id}/files/mkdir', {
  summary: 'Make a folder, with those above it',
  access: write,
  body: MakeFolder,
  reply: FileDone,
  waits: true,
  recorded: 'made the folder {path} on {target}',
  handle: ({ ctx, server, body, http }) => change.makeFolder(ctx, server, body, http),
})

export const renameFiles = post('/api/servers/{id}/files/rename', {
  summary: 'Rename or move files and folders',
  access: write,
  body: RenameFiles,
  reply: FileDone,
  waits: true,
  recorded: 'renamed {path} on {target}',
  handle: ({ ctx, server, body, http }) => change.rename(ctx, server, body, http),
})

export const changeFileModes = post('/api/servers/{id}/files/chmod', {
  summary: 'Change the permissions of files and folders',
  access: write,
  body: ChangeFileModes,
  reply: FileDone,
  waits: true,
  recorded: 'changed the permissions of {path} on {target}',
  handle: ({ ctx, server, body, http }) => change.changeModes(ctx, server, body, http),
})

export const copyFiles = post('/api/servers/{id}/files/copy', {
  summary: 'Copy files and folders',
  access: write,
  body: CopyFiles,
  reply: Changed,
  mayContinue: true,
  waits: true,
  recorded: 'copied {path} on {target}',
  handle: ({ ctx, server, body, http }) => work.copy(ctx, server, body, http),
})

export const deleteFiles = post('/api/servers/{id}/files/delete', {
  summary: 'Delete files and folders, into the bin unless they are to be gone for good',
  access: { ...write, may: 'files.delete' },
  body: DeleteFiles,
  reply: FilesDeleted,
  waits: true,
  recorded: 'deleted {path} on {target}',
  handle: ({ ctx, server, body, http }) => bin.remove(ctx, server, body, http),
})

export const archiveFiles = post('/api/servers/{id}/files/archive', {
  summary: 'Write files and folders into an archive on the server',
  access: write,
  body: ArchiveFiles,
  reply: JobAccepted,
  status: 202,
  recorded: 'archived {path} on {target}',
  handle: ({ ctx, server, body }) => work.archive(ctx, server, body),
})

export const extractArchive = post('/api/servers/{id}/files/extract', {
  summary: 'Extract an archive that is on the server',
  access: write,
  body: ExtractArchive,
  reply: JobAccepted,
  status: 202,
  recorded: 'extracted {path} on {target}',
  handle: ({ ctx, server, body }) => work.extract(ctx, server, body),
})

export const pullFile = post('/api/servers/{id}/files/pull', {
  summary: 'Fetch a file from an address on the internet',
  access: write,
  body: PullFile,
  reply: JobAccepted,
  status: 202,
  recorded: 'fetched {path} to {target}',
  handle: ({ ctx, server, body }) => work.pull(ctx, server, body),
})
